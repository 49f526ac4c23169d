// A client's handshake takes 200 ms, since the server thinks about it; then its connection is used. Prints the 200 ms as the
// client has them.
const { WebSocketServer, WebSocket } = require('ws');

const server = new WebSocketServer({
	port: 0,
	host: '127.0.0.1',
	verifyClient: (_info, answer) => setTimeout(answer, 200, true),
});
server.on('listening', () => {
	const from = performance.now();
	const client = new WebSocket(`ws://127.0.0.1:${server.address().port}`);
	client.on('open', () => {
		console.log(performance.now() - from);
		setTimeout(() => {
			client.close();
			server.close();
		}, 100);
	});
});
