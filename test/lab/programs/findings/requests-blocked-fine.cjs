// The same, one request after the other.
const http = require('node:http');
const { once } = require('node:events');

const REQUESTS = 60;
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
	for (let sent = 0; sent < REQUESTS; sent++) await ask(port);
	agent.destroy();
	server.close();
});
