// Two sockets for two requests at a time, whose answers take long: the server is the limit.
const http = require('node:http');
const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });

const server = http.createServer((_request, response) => setTimeout(() => response.end('ok'), 100));
server.listen(0, '127.0.0.1', async () => {
	const { port } = server.address();
	const ask = () =>
		new Promise((resolve) =>
			http.get({ host: '127.0.0.1', port, agent }, (response) => response.resume().on('end', resolve)),
		);
	for (let round = 0; round < 4; round++) await Promise.all([ask(), ask(), ask()]);
	agent.destroy();
	server.close();
});
