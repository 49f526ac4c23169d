// Sixty requests come at once and each waits for 60 ms, for a timer: the event loop is free meanwhile.
const http = require('node:http');
const { once } = require('node:events');

const ROUNDS = 4;
const AT_ONCE = 60;
const WAITS_MS = 60;

const agent = new http.Agent({ keepAlive: true });
const server = http.createServer((_request, response) => {
	setTimeout(() => response.end('waited'), WAITS_MS);
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
