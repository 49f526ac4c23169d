// Two requests for a report, which takes the server 300 ms, have both sockets of an agent; those for its status, which takes 10 ms, wait behind them.
const http = require('node:http');
const keepAlive = process.argv[2] === 'keep-alive';
const agent = new http.Agent({ keepAlive, maxSockets: 2 });

const server = http.createServer((request, response) => {
	setTimeout(() => response.end('ok'), request.url === '/report' ? 300 : 10);
});
server.listen(0, '127.0.0.1', async () => {
	const { port } = server.address();
	const read = (resolve) => (response) => response.resume().on('end', resolve);
	const report = () => new Promise((resolve) => http.get({ port, agent, path: '/report' }, read(resolve)));
	const status = () => new Promise((resolve) => http.get({ port, agent, path: '/status' }, read(resolve)));
	for (let i = 0; i < 3; i++) await Promise.all([report(), report(), status(), status()]);
	agent.destroy();
	server.close();
});
