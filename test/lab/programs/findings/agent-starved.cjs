// Twenty requests at once through an agent that opens two sockets: the last ones wait for one ten times as long as for their answer.
const http = require('node:http');
const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });

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
