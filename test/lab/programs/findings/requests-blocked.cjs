// Each request computes for 3 ms, much too short for a block, and sixty come at once.
const http = require('node:http');
const { once } = require('node:events');

const ROUNDS = 4;
const AT_ONCE = 60;
const COMPUTES_MS = 3;

const agent = new http.Agent({ keepAlive: true });
const server = http.createServer((_request, response) => {
	const end = performance.now() + COMPUTES_MS;
	while (performance.now() < end);
	response.end('computed');
});

async function ask(port) {
	const request = http.get({ port, host: '127.0.0.1', agent });
	const [response] = await once(request, 'response');
	response.resume();
	await once(response, 'end');
}

server.listen(0, '127.0.0.1', async () => {
	const { port } = server.address();
	for (let round = 0; round < ROUNDS; round++) await Promise.all(Array.from({ length: AT_ONCE }, () => ask(port)));
	agent.destroy();
	server.close();
});
