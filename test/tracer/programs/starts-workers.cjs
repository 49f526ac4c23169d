// Starts a Worker for each message. Each reads files until it receives one itself; prints how many ended well.
const fs = require('node:fs');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

if (isMainThread) {
	let failed = 0;
	const workers = [];
	globalThis.startWorker = () => {
		workers.push(new Worker(__filename).on('error', () => failed++));
	};
	globalThis.ends = false;
	const timer = setInterval(() => {
		if (!globalThis.ends) return;
		clearInterval(timer);
		for (const worker of workers) worker.postMessage('end');
		process.on('exit', () => console.log(`${workers.length} Workers, ${failed} failed`));
	}, 5);
} else {
	const timer = setInterval(() => fs.readFile(__filename, () => undefined), 5);
	parentPort.once('message', () => clearInterval(timer));
}
