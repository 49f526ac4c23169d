// Four Workers that end in the four ways there are, each after derivations of its own, beside derivations of the main thread.
const crypto = require('node:crypto');
const { isMainThread, Worker, workerData } = require('node:worker_threads');

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
	// Until it is terminated.
	stays: () => setInterval(() => undefined, 5),
};

if (isMainThread) {
	const said = [];
	derive(5, () => said.push('main derived'));
	for (const name of Object.keys(endings)) {
		const worker = new Worker(__filename, { workerData: name });
		worker.on('message', () => undefined);
		worker.on('error', (error) => said.push(`${name}: ${error.message}`));
		worker.on('exit', (code) => said.push(`${name} ended with ${code}`));
		worker.on('message', () => name === 'stays' && setTimeout(() => worker.terminate(), 300));
	}
	process.on('exit', () => console.log(said.sort().join('\n')));
} else {
	derive(5, () => {
		require('node:worker_threads').parentPort.postMessage('derived');
		endings[workerData]();
	});
}
