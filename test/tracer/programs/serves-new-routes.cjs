// A server that serves one route many times, and then the next one a few times: each starts the same operations, after ticks or after a body has arrived.
const fs = require('node:fs');
const http = require('node:http');

const OFTEN = 60;
const SELDOM = 5;

/** As pools of connections do it. */
const soon = () => new Promise((resolve) => process.nextTick(resolve));

async function read(body) {
	for await (const _piece of body);
}

const handlers = {
	async '/often/tick'(_request, response) {
		await soon();
		await fs.promises.stat(__filename); // often, after a tick
		response.end();
	},
	async '/seldom/tick'(_request, response) {
		await soon();
		await fs.promises.stat(__filename); // seldom, after a tick
		response.end();
	},
	async '/often/body'(request, response) {
		await read(request);
		await fs.promises.stat(__filename); // often, after a body
		response.end();
	},
	async '/seldom/body'(request, response) {
		await read(request);
		await fs.promises.stat(__filename); // seldom, after a body
		response.end();
	},
	'/often/pieces'(request, response) {
		request.on('data', () => fs.stat(__filename, () => response.end())); // often, with a piece
	},
	'/seldom/pieces'(request, response) {
		request.on('data', () => fs.stat(__filename, () => response.end())); // seldom, with a piece
	},
};

const server = http.createServer((request, response) => void handlers[request.url](request, response));
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** A body comes once the server has seen the rest of the request. */
function ask(path) {
	const { port } = server.address();
	const hasBody = !path.endsWith('tick');
	return new Promise((resolve) => {
		const request = http.request({ agent, port, path, method: hasBody ? 'POST' : 'GET' }, (response) => {
			response.resume().on('end', resolve);
		});
		if (hasBody) {
			request.flushHeaders();
			server.once('request', () => setImmediate(() => request.end('body')));
		} else request.end();
	});
}

server.listen(0, async () => {
	for (const kind of ['tick', 'body', 'pieces']) {
		for (let at = 0; at < OFTEN; at++) await ask(`/often/${kind}`);
		for (let at = 0; at < SELDOM; at++) await ask(`/seldom/${kind}`);
	}
	agent.destroy();
	server.close();
});
