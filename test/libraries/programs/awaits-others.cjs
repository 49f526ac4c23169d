// Handlers that start nothing themselves: one awaits what another request has asked for, and one keeps its responses until a third answers them.
const http = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');
const express = require('express');

const AT_ONCE = 4;
const ROUNDS = 10;

let shared = null;
const share = () => {
	shared ??= sleep(20).then(() => {
		shared = null;
		return 'shared';
	});
	return shared;
};
const kept = [];

const app = express();
// ↓ shares
app.get('/shares', async (_request, response) => {
	response.json(await share());
});
app.get('/keeps', (_request, response) => {
	kept.push(response);
});
// ↓ answers
app.get('/answers', async (_request, response) => {
	await sleep(2);
	for (const each of kept.splice(0)) each.end('kept');
	response.end('answered');
});

const server = app.listen(0, '127.0.0.1', async () => {
	for (let i = 0; i < ROUNDS; i++) {
		await Promise.all(Array.from({ length: AT_ONCE }, () => ask('/shares')));
		const keeps = [ask('/keeps'), ask('/keeps')];
		while (kept.length < keeps.length) await sleep(1);
		await Promise.all([...keeps, ask('/answers')]);
	}
	server.close();
});

function ask(path) {
	return new Promise((done, failed) => {
		const options = { path, port: server.address().port, host: '127.0.0.1', agent: false };
		http.get(options, (answer) => answer.resume().on('end', done)).on('error', failed);
	});
}
