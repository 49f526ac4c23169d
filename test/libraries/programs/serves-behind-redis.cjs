// A server whose middleware asks Redis over one connection for each request, many at a time: one read brings the answers for several of them.
const http = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');
const express = require('express');
const Redis = require('ioredis');

const ROUNDS = 20;
const CLIENTS = 3;

const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.REDISPORT) });
const app = express();
// ↓ the middleware
app.use(async function session(request, _response, next) {
	request.session = await redis.get('session');
	next();
});
// ↓ waits long
app.get('/waits', async (_request, response) => {
	await sleep(20);
	response.json({});
});
// ↓ waits short
app.get('/waits-less', async (_request, response) => {
	await sleep(5);
	response.json({});
});
// ↓ answers
app.get('/answers', (_request, response) => {
	response.json({});
});
// ↓ asks on
app.get('/asks-on', async (_request, response) => {
	await redis.get('key');
	await sleep(1);
	response.json({});
});

const server = app.listen(0, '127.0.0.1', async () => {
	const agent = new http.Agent({ keepAlive: true });
	const { port } = server.address();
	const ask = (path) =>
		new Promise((resolve) => http.get({ agent, port, path }, (response) => response.resume().on('end', resolve)));
	async function asks(path) {
		for (let i = 0; i < ROUNDS; i++) await ask(path);
	}
	const together = ['/waits', '/waits-less', '/answers', '/asks-on'];
	await Promise.all(together.flatMap((path) => Array.from({ length: CLIENTS }, () => asks(path))));
	process.exit();
});
