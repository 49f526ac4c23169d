// Handlers that serve several routes: each route is asked for as often, by this process, and is behind a comment.
const http = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');
const express = require('express');

const ROUNDS = 30;

const sends = (response) => response.end('sent');

// A server's function that looks at the URL itself.
const looks = http.createServer(async (request, response) => {
	if (request.url === '/waits') {
		// ↓ looks /waits
		await sleep(2);
		response.end('waited');
	} else if (request.url === '/calls') {
		// ↓ looks /calls
		await waits(response, 3);
	} else {
		// ↓ looks /
		response.end('at once');
	}
});

async function waits(response, ms) {
	await sleep(ms);
	sends(response);
}

// ↓ chooses /one
const one = (_request, response) => waits(response, 1);
// ↓ chooses /two
const two = (_request, response) => waits(response, 2);
const handlers = { '/one': one, '/two': two };
const chooses = http.createServer((request, response) => handlers[request.url](request, response));

// What this one calls depends on what it has kept, and not on the route.
const kept = new Map();
// ↓ keeps /a
const keeps = http.createServer((request, response) => {
	const times = kept.get(request.url) ?? 0;
	kept.set(request.url, times + 1);
	if (times % 3 === 0) waits(response, 2);
	else sends(response);
});

const wrap = (handler) => (request, response, next) => handler(request, response).catch(next);
const app = express();
app.get(
	'/items/:id',
	// ↓ wraps /items/7
	wrap(async (_request, response) => waits(response, 2)),
);
app.post(
	'/items/:id',
	// ↓ wraps POST /items/7
	wrap(async (_request, response) => response.json({ made: true })),
);
const wraps = http.createServer(app);

class Controller {
	handler() {
		return async (request, response) => response.json(await this.execute(request));
	}
}
class Users extends Controller {
	// ↓ inherits /users
	async execute() {
		await sleep(1);
		return ['user'];
	}
}
class Orders extends Controller {
	// ↓ inherits /orders
	async execute() {
		await sleep(2);
		return ['order'];
	}
}
const inherits = http.createServer(
	express().get('/users', new Users().handler()).get('/orders', new Orders().handler()),
);

const SERVERS = { looks, chooses, keeps, wraps, inherits };
const ASKED = [
	...['looks /waits', 'looks /calls', 'looks /', 'chooses /one', 'chooses /two', 'keeps /a'],
	...['wraps /items/7', 'wraps POST /items/7', 'inherits /users', 'inherits /orders'],
];

async function main() {
	for (const server of Object.values(SERVERS)) await new Promise((done) => server.listen(0, '127.0.0.1', done));
	for (let i = 0; i < ROUNDS; i++) {
		for (const asked of ASKED) {
			const [name, method, path = method] = asked.split(' ');
			await ask(SERVERS[name].address().port, path, path === method ? 'GET' : method);
		}
	}
	for (const server of Object.values(SERVERS)) server.close();
}

function ask(port, path, method) {
	return new Promise((done, failed) => {
		const request = http.request({ port, path, method, host: '127.0.0.1', agent: false }, (answer) => {
			answer.resume().on('end', done);
		});
		request.on('error', failed).end();
	});
}

main();
