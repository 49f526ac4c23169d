// Has something for each tab of the panel: served requests, jobs that queue for the pool, and a callback that blocks the loop.
const crypto = require('node:crypto');
const http = require('node:http');

const CLIENTS = 6;

const server = http.createServer((_request, response) => {
	crypto.pbkdf2('password', 'salt', 20_000, 64, 'sha512', (_error, key) => response.end(key.toString('hex')));
});
server.listen(0, '127.0.0.1', () => {
	let open = CLIENTS;
	for (let client = 0; client < CLIENTS; client++) {
		http.get({ port: server.address().port, agent: false }, (response) => {
			response.resume();
			response.on('end', () => {
				if (--open === 0) setTimeout(compute, 20);
			});
		});
	}
});

/** 300 ms of the processor's time: where the machine stops it, it has no less to compute. */
function compute() {
	for (let timer = 0; timer < 3; timer++) setTimeout(() => server.close(), 30);
	const end = process.cpuUsage().user + 300_000;
	while (process.cpuUsage().user < end) for (let i = 0; i < 100_000; i++) Math.sqrt(i);
}
