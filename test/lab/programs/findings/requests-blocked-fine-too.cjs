// Sixty requests come at once, four times, and each waits for 60 ms, for a timer: the event loop is free meanwhile.
const http = require('node:http');
const { askAtOnce } = require('./asks-server.cjs');

const WAITS_MS = 60;

const server = http.createServer((_request, response) => {
	setTimeout(() => response.end('waited'), WAITS_MS);
});
server.listen(0, '127.0.0.1', () => askAtOnce(server, 60, 4));
