// Servers without a router, whose handlers leave their work to others: a queue that calls the user's own function, and a child process.
const { execFile } = require('node:child_process');
const fs = require('node:fs/promises');
const http = require('node:http');
const { promisify } = require('node:util');
const fastq = require('fastq');

const ROUNDS = 20;
const run = promisify(execFile);

// Its second job begins in the callback of the first one.
const queue = fastq.promise(async (name) => {
	const { size } = await fs.stat(name);
	return size;
}, 1);

// ↓ asks the queue
const sizes = http.createServer(async (_request, response) => {
	const files = await Promise.all([__filename, __dirname, process.execPath].map((name) => queue.push(name)));
	response.end(String(files));
});

// ↓ runs a child
const child = http.createServer(async (_request, response) => {
	const { stdout } = await run('sh', ['-c', 'sleep 0.03; echo done']); // waits for it
	response.end(stdout);
});

function ask(port) {
	return new Promise((resolve, reject) => {
		http.get({ port, host: '127.0.0.1' }, (response) => response.resume().on('end', resolve)).on('error', reject);
	});
}

const listening = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

(async () => {
	for (const server of [sizes, child]) {
		await listening(server);
		for (let round = 0; round < ROUNDS; round++) await ask(server.address().port);
		server.close();
	}
})();
