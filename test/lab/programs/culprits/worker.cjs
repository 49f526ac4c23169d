// A Worker computes for each message.
const { isMainThread, parentPort, Worker } = require('node:worker_threads');
function compute(ms) {
	const until = process.cpuUsage().user + 1000 * ms;
	let sum = 0;
	while (process.cpuUsage().user < until) for (let i = 0; i < 100_000; i++) sum += Math.sqrt(i); // computes
	return sum;
}
if (isMainThread) {
	const worker = new Worker(__filename);
	let left = 6;
	worker.on('message', () => worker.postMessage(--left > 0));
	worker.postMessage(true);
} else {
	parentPort.on('message', (goesOn) => {
		if (!goesOn) return process.exit();
		compute(150); // calls
		parentPort.postMessage('done');
	});
}
