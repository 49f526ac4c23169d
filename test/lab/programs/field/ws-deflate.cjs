// A message to twelve clients is compressed twelve times, which fills the pool: a look at a file waits behind that.
const fs = require('node:fs');
const { WebSocketServer, WebSocket } = require('ws');

const server = new WebSocketServer({
	port: 0,
	host: '127.0.0.1',
	perMessageDeflate: { zlibDeflateOptions: { level: 9 } },
});
const text = Array.from({ length: 120_000 }, (_, i) => ((i * 7919) % 100_003).toString(36)).join(' ');
server.on('listening', async () => {
	const clients = Array.from({ length: 12 }, () => new WebSocket(`ws://127.0.0.1:${server.address().port}`));
	await Promise.all(clients.map((client) => new Promise((open) => client.on('open', open))));
	const received = clients.map((client) => new Promise((done) => client.on('message', done)));
	for (const client of server.clients) {
		client.send(text);
	}
	setTimeout(() => fs.stat('.', () => undefined), 5);
	await Promise.all(received);
	for (const client of clients) client.terminate();
	server.close();
});
