// A main thread that has next to nothing to do, and a Worker that is busy most of the time. Both end when the file named in STOP_FILE appears.
const fs = require('node:fs');
const { isMainThread, Worker } = require('node:worker_threads');

const ROUND_MS = 50;
const BUSY_MS = 40;

const rounds = setInterval(() => {
	if (fs.existsSync(process.env.STOP_FILE)) clearInterval(rounds);
	else if (!isMainThread) spin(BUSY_MS);
}, ROUND_MS);
if (isMainThread) new Worker(__filename);

function spin(ms) {
	const end = performance.now() + ms;
	while (performance.now() < end);
}
