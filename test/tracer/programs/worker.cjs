// Starts a worker thread. Its id must be the first one, and its asynchronous work goes on as usual.
const fs = require('node:fs');
const { isMainThread, parentPort, threadId, Worker } = require('node:worker_threads');

if (isMainThread) {
	const worker = new Worker(__filename);
	worker.on('message', (message) => console.log(`main got: ${message}`));
	worker.on('exit', (code) => console.log(`worker ended with ${code}`));
} else {
	fs.stat(__filename, (error) => parentPort.postMessage(`thread ${threadId}, ${error ? 'an error' : 'no error'}`));
}
