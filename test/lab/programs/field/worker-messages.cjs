// A Worker computes for each message, so that later ones wait for it; and copying a large message blocks the main thread.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

if (isMainThread) {
	const worker = new Worker(__filename);
	let left = 7;
	const rows = Array.from({ length: 300_000 }, (_, i) => ({ i, s: `row ${i}` }));
	const ask = (ms) => worker.postMessage({ ms });
	worker.on('message', (isReady) => {
		if (isReady) for (let i = 0; i < 6; i++) ask(150);
		else if (--left === 1) worker.postMessage({ ms: 0, rows });
		else if (left === 0) worker.terminate();
	});
} else {
	parentPort.on('message', ({ ms }) => {
		const end = process.cpuUsage().user + 1000 * ms;
		while (process.cpuUsage().user < end) for (let i = 0; i < 100_000; i++) Math.sqrt(i);
		parentPort.postMessage(false);
	});
	// Its start is over then.
	setTimeout(() => parentPort.postMessage(true), 20);
}
