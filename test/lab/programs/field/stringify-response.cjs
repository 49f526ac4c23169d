// A handler makes a large text of what it has waited for: its line blocks the loop, and an interval is late.
const http = require('node:http');
const { setTimeout: rest } = require('node:timers/promises');

const rows = Array.from({ length: 600_000 }, (_, i) => ({ i, name: `row ${i}` }));
const server = http.createServer(async (_request, response) => {
	await rest(20);
	// As often as it takes to block the loop: Node 26 writes such a text in 25 ms.
	const end = process.cpuUsage().user + 150_000;
	let length = 0;
	while (process.cpuUsage().user < end) length += JSON.stringify(rows).length;
	response.end(String(length));
});
server.listen(0, '127.0.0.1', async () => {
	let isAnswered = false;
	// Until it has fired once more: the answer may come first.
	const interval = setInterval(() => {
		if (!isAnswered) return;
		clearInterval(interval);
		server.closeAllConnections();
		server.close();
	}, 10);
	await (await fetch(`http://127.0.0.1:${server.address().port}`)).text();
	isAnswered = true;
});
