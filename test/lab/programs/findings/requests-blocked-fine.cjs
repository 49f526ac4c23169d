// The same, one request after the other.
const http = require('node:http');
const { askAtOnce } = require('./asks-server.cjs');

const COMPUTES_MS = 3;

const server = http.createServer((_request, response) => {
	const end = performance.now() + COMPUTES_MS;
	while (performance.now() < end);
	response.end('computed');
});
server.listen(0, '127.0.0.1', () => askAtOnce(server, 1, 60));
