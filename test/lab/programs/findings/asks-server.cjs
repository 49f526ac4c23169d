// Clients of a server in the same process, over connections that are kept.
const http = require('node:http');
const { once } = require('node:events');

/** Sends that many requests at once, in each round, to a server that listens, and then closes it. */
exports.askAtOnce = async (server, atOnce, rounds) => {
	const agent = new http.Agent({ keepAlive: true });
	const { port } = server.address();
	const ask = async () => {
		const request = http.get({ port, host: '127.0.0.1', agent });
		const [response] = await once(request, 'response');
		await once(response.resume(), 'end');
	};
	for (let round = 0; round < rounds; round++) await Promise.all(Array.from({ length: atOnce }, ask));
	agent.destroy();
	server.close();
};
