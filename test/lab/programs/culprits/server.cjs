// A request's handler sorts.
const http = require('node:http');
const rows = Array.from({ length: 50_000 }, (_, i) => ({ name: `row ${(i * 7919) % 50_000}` }));
function sorted(until) {
	while (process.cpuUsage().user < until) rows.slice().sort((a, b) => a.name.localeCompare(b.name)); // computes
}
const server = http.createServer((_request, response) => {
	sorted(process.cpuUsage().user + 150_000); // calls
	response.end('sorted');
});
server.listen(0, '127.0.0.1', async () => {
	for (let i = 0; i < 6; i++) await get(server.address().port);
	server.close();
});
function get(port) {
	return new Promise((resolve) =>
		http.get({ host: '127.0.0.1', port, agent: false }, (answer) => answer.resume().on('end', resolve)),
	);
}
