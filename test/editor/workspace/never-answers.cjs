// A server that answers none of the three requests which its own program sends it, until that ends.
const http = require('node:http');

let due = 0;
const server = http.createServer(() => {
	setTimeout(end, 1200);
});

server.listen(0, '127.0.0.1', () => {
	const { port } = server.address();
	for (let i = 0; i < 3; i++) http.get({ host: '127.0.0.1', port, agent: false });
});

function end() {
	if (++due === 3) process.exit(0);
}
