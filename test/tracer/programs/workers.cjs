// Four Workers that end in the four ways there are, each after derivations of its own, beside derivations of the main thread.
const crypto = require('node:crypto');
const { isMainThread, parentPort, Worker, workerData } = require('node:worker_threads');

function derive(count, done) {
	if (count === 0) return done();
	crypto.pbkdf2('secret', 'salt', 10_000, 64, 'sha512', () => derive(count - 1, done));
}

const endings = {
	returns: () => undefined,
	exits: () => process.exit(7),
	throws: () => {
		throw new Error('planted');
	},
	// Until it is terminated, which it is once its derivations are long over: what it did in its last milliseconds may be lost.
	stays: () => {
		let turns = 0;
		setInterval(() => ++turns === 60 && parentPort.postMessage('stayed'), 5);
	},
};

if (isMainThread) {
	const said = [];
	derive(5, () => said.push('main derived'));
	for (const name of Object.keys(endings)) {
		const worker = new Worker(__filename, { workerData: name });
		worker.on('message', (text) => text === 'stayed' && worker.terminate());
		worker.on('error', (error) => said.push(`${name}: ${error.message}`));
		worker.on('exit', (code) => said.push(`${name} ended with ${code}`));
	}
	process.on('exit', () => console.log(said.sort().join('\n')));
} else {
	derive(5, () => {
		parentPort.postMessage('derived');
		endings[workerData]();
	});
}
