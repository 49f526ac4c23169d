// The same with sockets enough.
const http = require('node:http');
const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });

const server = http.createServer((_request, response) => setTimeout(() => response.end('ok'), 40));
server.listen(0, '127.0.0.1', async () => {
	const { port } = server.address();
	const ask = () =>
		new Promise((resolve) =>
			http.get({ host: '127.0.0.1', port, agent }, (response) => response.resume().on('end', resolve)),
		);
	await Promise.all(Array.from({ length: 20 }, ask));
	agent.destroy();
	server.close();
});
