// A server that waits for each piece of what it sends, and a client that reads at once: what is slow is where the data comes from.
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');

const MEGABYTE = 1024 * 1024;

const piece = () => new Promise((resolve) => setTimeout(resolve, 60, Buffer.alloc(MEGABYTE)));

const server = http.createServer(async (_request, response) => {
	for (let sent = 0; sent < 8; sent++) {
		if (!response.write(await piece())) await once(response, 'drain');
	}
	response.end();
});
server.listen(0, '127.0.0.1', () => {
	const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('GET / HTTP/1.0\r\n\r\n'));
	let read = 0;
	socket.on('data', ({ length }) => {
		read += length;
		if (read >= MEGABYTE) read = 0;
	});
	socket.on('close', () => server.close());
});
