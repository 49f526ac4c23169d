// Node's functions that every object has as well: a stream whose chunks become texts, and a client that leaves early.
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');
const chunk = Buffer.alloc(4_000_000, 'text ');

// None is answered before its client has left.
const server = http.createServer((_request, response) => setTimeout(() => response.end('late'), 600_000).unref()); // handler
(async () => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	for (let i = 0; i < 2; i++) {
		const client = net.connect(server.address().port, '127.0.0.1');
		client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
		await once(server, 'request');
		client.destroy();
		await once(client, 'close');
	}
	const until = performance.now() + 200;
	while (performance.now() < until) chunk.toString();
	await new Promise((resolve) => server.close(resolve));
})();
