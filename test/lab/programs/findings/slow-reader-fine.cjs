// The same with a client that reads without a pause. The pieces are small: a busy machine may take long to read a large one.
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');

const PIECE = 64 * 1024;

const server = http.createServer(async (_request, response) => {
	for (let sent = 0; sent < 24; sent++) {
		if (!response.write(Buffer.alloc(PIECE))) await once(response, 'drain');
	}
	response.end();
});
server.listen(0, '127.0.0.1', () => {
	const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('GET / HTTP/1.0\r\n\r\n'));
	let read = 0;
	socket.on('data', ({ length }) => {
		read += length;
		if (read >= PIECE) read = 0;
	});
	socket.on('close', () => server.close());
});
