// Handlers that give functions to libraries, which call them while the handler waits: a pool's `create`, what `once` and `map` call. Each request is its handler's.
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');
const express = require('express');
const genericPool = require('generic-pool');
const lodash = require('lodash');
const onlyOnce = require('once');
const polka = require('polka');

const ROUNDS = 12;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let databasePort;

const factory = {
	create: () =>
		new Promise((resolve) => {
			const socket = net.connect(databasePort, '127.0.0.1', () => resolve(socket));
		}),
	async destroy(socket) {
		socket.end();
	},
};

/** Each query connects anew. */
async function query() {
	const pool = genericPool.createPool(factory, { max: 1 });
	const socket = await pool.acquire();
	socket.write('q');
	await once(socket, 'data');
	await pool.destroy(socket);
}

function waitThrough(levels) {
	return lodash.map([levels], (left) => (left === 0 ? sleep(3) : waitThrough(left - 1)))[0];
}

function withExpress() {
	const app = express();
	app.use((_request, _response, next) => next());
	// ↓ express, a pool
	app.get('/pool', async (_request, response) => {
		await query();
		response.end();
	});
	// ↓ express, once
	app.get('/once', async (_request, response) => {
		await onlyOnce(() => sleep(3))();
		response.end();
	});
	// ↓ express, many levels
	app.get('/levels', async (_request, response) => {
		await waitThrough(40);
		response.end();
	});
	return http.createServer(app);
}

function withPolka() {
	const app = polka();
	app.use((_request, _response, next) => next());
	// ↓ polka, once
	app.get('/once', async (_request, response) => {
		await onlyOnce(() => sleep(3))();
		response.end();
	});
	// ↓ polka
	app.get('/waits', async (_request, response) => {
		await sleep(3);
		response.end();
	});
	return http.createServer((request, response) => app.handler(request, response));
}

function withNode() {
	// ↓ node:http, a pool
	return http.createServer(async (_request, response) => {
		await query();
		response.end();
	});
}

async function main() {
	const database = net.createServer((socket) => socket.on('data', () => setTimeout(() => socket.write('r'), 3)));
	database.listen(0, '127.0.0.1');
	await once(database, 'listening');
	databasePort = database.address().port;
	const servers = [
		[withExpress(), '/pool', '/once', '/levels'],
		[withPolka(), '/once', '/waits'],
		[withNode(), '/'],
	];
	const agent = new http.Agent({ keepAlive: true });
	for (const [server, ...paths] of servers) {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		for (let i = 0; i < ROUNDS; i++) {
			for (const path of paths) {
				const request = http.get({ host: '127.0.0.1', port: server.address().port, path, agent });
				const [response] = await once(request, 'response');
				response.resume();
				await once(response, 'end');
			}
		}
	}
	agent.destroy();
	for (const [server] of servers) server.close();
	database.close();
}
main();
