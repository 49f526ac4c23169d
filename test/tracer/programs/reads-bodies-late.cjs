// A handler that asks a database before it reads a body which its client has sent long since, and one that stores each piece of a body as its client sends it, slowly.
// Prints the ms that they waited for the database and for the bodies, added up.
const { once } = require('node:events');
const fs = require('node:fs/promises');
const http = require('node:http');
const net = require('node:net');
const os = require('node:os');
const { setTimeout: sleep } = require('node:timers/promises');
const { Worker, isMainThread, workerData } = require('node:worker_threads');

const ROUNDS = 4;
const PIECES = 10;

if (isMainThread) serve();
else send(workerData);

async function serve() {
	const database = net.createServer((socket) => socket.on('data', () => setTimeout(() => socket.write('yes'), 150)));
	database.listen(0, '127.0.0.1');
	await once(database, 'listening');
	const connection = net.connect(database.address().port, '127.0.0.1');
	const waited = { database: 0, bodies: 0 };

	async function late(request, response) {
		const began = performance.now();
		connection.write('may they?'); // the database
		await once(connection, 'data');
		const answered = performance.now();
		for await (const _piece of request);
		waited.database += answered - began;
		waited.bodies += performance.now() - answered;
		response.end();
	}

	async function stores(request, response) {
		let asked = performance.now();
		for await (const piece of request) {
			waited.bodies += performance.now() - asked;
			await fs.writeFile(os.devNull, piece); // no disk, which may be slow
			asked = performance.now();
		}
		waited.bodies += performance.now() - asked;
		response.end();
	}

	const server = http.createServer((request, response) =>
		request.url === '/late' ? late(request, response) : stores(request, response),
	);
	server.listen(0, '127.0.0.1', () => {
		new Worker(__filename, { workerData: server.address().port }).on('exit', () => {
			server.close();
			connection.end();
			database.close();
			console.log(JSON.stringify(waited));
		});
	});
}

async function send(port) {
	for (let i = 0; i < ROUNDS; i++) {
		const late = http.request({ host: '127.0.0.1', port, method: 'POST', path: '/late' });
		late.end(Buffer.alloc(2_000_000));
		await answer(late);
		const slow = http.request({ host: '127.0.0.1', port, method: 'POST', path: '/slow' });
		for (let piece = 0; piece < PIECES; piece++) {
			slow.write(Buffer.alloc(100_000));
			await sleep(20);
		}
		slow.end();
		await answer(slow);
	}
}

async function answer(request) {
	const [response] = await once(request, 'response');
	response.resume();
	await once(response, 'end');
}
