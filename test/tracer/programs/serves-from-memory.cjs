// Servers whose handlers await what is in memory already before they start anything; and a client that asks them one after another.
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');

const ROUNDS = 100;
const COMPUTED = 10;
const TOGETHER = 5;

const memory = new Map([['key', 'value']]);

async function cached() {
	return memory.get('key');
}

async function load() {
	await cached();
	await fs.promises.lstat(__filename); // for the one that loads
}

function spin(ms) {
	const end = performance.now() + ms;
	while (performance.now() < end);
}

/** Both behind one listener, which starts nothing. */
const ROUTES = {
	async '/reads'(_request, response) {
		await cached();
		await fs.promises.stat(__filename); // for the one that reads
		response.end();
	},
	async '/loads'(_request, response) {
		await load();
		response.end();
	},
};
const serveRoute = (request, response) => void ROUTES[request.url](request, response);

async function mixed(request, response) {
	if (request.url !== '/now') await cached();
	response.end();
}

async function computes(_request, response) {
	spin(5);
	await cached();
	spin(5);
	await fs.promises.stat(__filename);
	response.end();
}

async function posts(request, response) {
	await cached();
	let length = 0;
	for await (const chunk of request) length += chunk.length;
	response.end(String(length));
}

/** Most of its requests wait for what another one has asked for: that lasts until all of them are there, on a slow machine too. */
let shared;
async function shares(_request, response) {
	shared ??= new Promise((resolve) => setTimeout(resolve, 500)); // for all of them
	await shared;
	response.end();
}

/** Both routes of a second server, of which two requests are read at once. */
const PIPELINED = {
	async '/one'(_request, response) {
		await cached();
		await fs.promises.stat(__filename);
		response.end();
	},
	async '/two'(_request, response) {
		await cached();
		await fs.promises.stat(__filename);
		response.end();
	},
};
const servePipelined = (request, response) => void PIPELINED[request.url](request, response);

const servers = [];

async function serve(listener) {
	const server = http.createServer(listener);
	servers.push(server);
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)); // where they listen
	return server.address().port;
}

function ask(options, body) {
	return new Promise((resolve, reject) => {
		const request = http.request({ host: '127.0.0.1', ...options }, (response) => response.resume().on('end', resolve));
		request.on('error', reject);
		request.end(body);
	});
}

async function main() {
	// Before what is done again and again: whatever comes once after that may be on its line.
	const [routes, both, busy, posted, sharing, pipelined] = [
		await serve(serveRoute),
		await serve(mixed),
		await serve(computes),
		await serve(posts),
		await serve(shares),
		await serve(servePipelined),
	];
	const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
	for (let i = 0; i < ROUNDS; i++) for (const path of Object.keys(ROUTES)) await ask({ port: routes, path, agent });
	for (let i = 0; i < ROUNDS; i++) for (const path of ['/later', '/now']) await ask({ port: both, path, agent });
	for (let i = 0; i < COMPUTED; i++) await ask({ port: busy, agent: false });
	for (let i = 0; i < ROUNDS; i++) await ask({ port: posted, method: 'POST', agent }, 'a body');
	await Promise.all(Array.from({ length: TOGETHER }, () => ask({ port: sharing, agent: false })));
	agent.destroy();
	const socket = net.connect(pipelined, '127.0.0.1');
	const get = (path, connection) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
	socket.write(get('/one', 'keep-alive') + get('/two', 'close'));
	await new Promise((resolve) => socket.resume().on('close', resolve));
	for (const server of servers) server.close();
}

main();
