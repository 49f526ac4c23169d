// Each request computes for 3 ms, much too short for a block, and sixty come at once, four times.
const http = require('node:http');
const { askAtOnce } = require('./asks-server.cjs');

const COMPUTES_MS = 3;

const server = http.createServer((_request, response) => {
	const end = performance.now() + COMPUTES_MS;
	while (performance.now() < end);
	response.end('computed');
});
server.listen(0, '127.0.0.1', () => askAtOnce(server, 60, 4));
