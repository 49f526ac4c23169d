// A handler makes a large text of what it has waited for: its line holds the loop, and an interval is late.
const http = require('node:http');
const { setTimeout: rest } = require('node:timers/promises');

const rows = Array.from({ length: 600_000 }, (_, i) => ({ i, name: `row ${i}` }));
const server = http.createServer(async (_request, response) => {
	await rest(20);
	const body = JSON.stringify(rows) + JSON.stringify(rows);
	response.end(String(body.length));
});
server.listen(0, '127.0.0.1', async () => {
	const interval = setInterval(() => undefined, 10);
	await (await fetch(`http://127.0.0.1:${server.address().port}`)).text();
	clearInterval(interval);
	server.closeAllConnections();
	server.close();
});
