// A handler of HTTP/2 that looks at the path itself: each route is asked for as often, by this process, and is behind a comment.
const http2 = require('node:http2');
const { setTimeout: sleep } = require('node:timers/promises');

const ROUNDS = 30;

// ↓ handler
const server = http2.createServer((request, response) => {
	if (request.url === '/waits') {
		// ↓ /waits
		waits(response);
	} else {
		// ↓ POST /
		response.end('at once');
	}
});

async function waits(response) {
	await sleep(2);
	response.end('waited');
}

function ask(client, method, path) {
	return new Promise((done, failed) => {
		client.request({ ':method': method, ':path': path }).on('error', failed).on('end', done).resume().end();
	});
}

server.listen(0, '127.0.0.1', async () => {
	const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
	for (let i = 0; i < ROUNDS; i++) {
		await ask(client, 'GET', '/waits');
		await ask(client, 'POST', '/');
	}
	client.close();
	server.close();
});
