// Requests behind others over the two sockets of an HTTP agent (`agent`), or over the connection of undici's client (`client`), whose responses nobody reads: they
// wait for good. Look-alikes: the server has not answered those ahead (`slow`), they have sockets of their own (`own`), or the client gives up all that wait (`destroyed`).
const http = require('node:http');
const { Client } = require('undici');

const how = process.argv[2];
const isOfClient = how === 'client' || how === 'destroyed';
const server = http.createServer((request, response) => {
	if (request.url === '/') response.end('ok');
	else if (how !== 'slow') response.end(Buffer.alloc(2_000_000));
});

server.listen(0, '127.0.0.1', async () => {
	const { port } = server.address();
	const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
	const other = how === 'own' ? new http.Agent({ keepAlive: true }) : agent;
	const client = new Client(`http://127.0.0.1:${port}`);
	const exportAll = () =>
		isOfClient
			? client.request({ method: 'GET', path: '/large' }).then(({ body }) => body.on('error', String)) // over the client, unread
			: new Promise((resolve) => http.get({ port, path: '/large', agent: other }, resolve)); // over the agent, unread
	const status = () =>
		isOfClient
			? client.request({ method: 'GET', path: '/' }) // behind the client’s
			: new Promise((resolve) => http.get({ port, path: '/', agent }, (response) => resolve(response.resume()))); // behind the agent’s

	const ahead = Array.from({ length: isOfClient ? 1 : 2 }, exportAll);
	if (how !== 'slow') await Promise.all(ahead);
	for (let i = 0; i < 6; i++) status().catch(() => 'given up');
	if (how === 'destroyed') setTimeout(() => client.destroy(), 1500);
	// Records are written while the program does something.
	setInterval(() => server.listening, 50);
	setTimeout(() => process.exit(), 1800);
});
