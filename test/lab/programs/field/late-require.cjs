// The first request that needs it loads a module, which takes long: the other request waits for that.
const http = require('node:http');

const server = http.createServer((request, response) => {
	if (request.url === '/heavy') response.end(String(require('./takes-long-to-load.cjs')));
	else response.end('light');
});
server.listen(0, '127.0.0.1', async () => {
	const url = `http://127.0.0.1:${server.address().port}`;
	await Promise.all(['/heavy', '/light', '/light'].map(async (path) => (await fetch(url + path)).text()));
	server.closeAllConnections();
	server.close();
});
