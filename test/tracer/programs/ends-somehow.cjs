// Works for a moment, then ends in the way that its argument names.
const fs = require('node:fs');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

const ends = {
	exit: () => process.exit(3),
	uncaught: () => {
		throw new Error('planted');
	},
	SIGTERM: () => process.kill(process.pid, 'SIGTERM'),
	abort: () => process.abort(),
	'out of memory': () => {
		const kept = [];
		for (;;) kept.push(new Array(1e5).fill(kept.length));
	},
	// It is terminated once it works.
	'a Worker that is terminated': () => worker.on('message', () => worker.terminate()),
	'a Worker at its memory limit': () => worker.postMessage('fill'),
};

let worker;
const turn = () => fs.stat(__filename, () => setTimeout(turn, 2));
turn();
if (isMainThread) {
	const end = ends[process.argv[2]];
	if (process.argv[2].includes('Worker')) {
		worker = new Worker(__filename, { resourceLimits: { maxOldGenerationSizeMb: 20 } });
		worker.on('error', () => undefined);
		worker.on('exit', () => process.exit());
	}
	setTimeout(end, 300);
} else {
	setTimeout(() => setInterval(() => parentPort.postMessage('works'), 20), 300);
	parentPort.on('message', ends['out of memory']);
}
