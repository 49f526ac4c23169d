// Runs rounds.cjs in a Worker, and in a second one from when the file named in START_FILE appears.
const fs = require('node:fs');
const path = require('node:path');
const { Worker } = require('node:worker_threads');

const startWorker = () => new Worker(path.join(__dirname, 'rounds.cjs'));
startWorker();
const timer = setInterval(() => {
	if (!fs.existsSync(process.env.START_FILE)) return;
	clearInterval(timer);
	startWorker();
}, 20);
