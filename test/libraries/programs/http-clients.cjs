// Requests by HTTP clients from npm. Behind each line (→): what it must show, `each` for once per round of jobs, with what the clients
// set themselves: timers, immediates. An awaited superagent asks in a microtask, whose stack leads to nobody up to Node 24.
// Arguments: rounds, concurrency.
const http = require('node:http');
const axios = require('axios');
const nodeFetch = require('node-fetch');
const superagent = require('superagent');
const undici = require('undici');
const { together } = require('./together.cjs');

const [rounds, concurrency] = process.argv.slice(2).map(Number);
const agent = new http.Agent({ keepAlive: true });

// ↓ http.Server request kernel 7 each
const server = http.createServer((_request, response) => {
	setImmediate(() => response.end('{"answer":42}')); // → setImmediate loop 7 each
});
const url = () => `http://127.0.0.1:${server.address().port}/`;

async function withAxios() {
	await axios.get(url(), { httpAgent: agent }); // → http.request kernel each; setTimeout timer each
	await axios.post(url(), { question: 6 }, { httpAgent: agent }); // → http.request kernel each; setTimeout timer each
}

async function withFetch() {
	const answer = await nodeFetch(url(), { agent }); // → http.request kernel each
	await answer.text();
	await (await undici.fetch(url())).text(); // → undici request kernel each
}

async function withUndici() {
	const { body } = await undici.request(url()); // → undici request kernel each
	await body.text(); // → setImmediate loop each
}

async function withSuperagent() {
	await superagent.get(url()).agent(agent); // → http.request kernel each
	await new Promise((resolve) => superagent.get(url()).agent(agent).end(resolve)); // → http.request kernel each
}

async function main() {
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	await together([withAxios, withFetch, withUndici, withSuperagent], rounds, concurrency);
	server.close();
	server.closeAllConnections();
	agent.destroy();
	await undici.getGlobalDispatcher().close();
}

main();
