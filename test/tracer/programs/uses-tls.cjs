// TLS: the handshake is one operation, and so is each exchange after it. What a report must say of a line stands behind
// it (→) or above it (↓): name, class and count of each entry. CERTIFICATE contains a key and a certificate for
// 127.0.0.1, as JSON.
const https = require('node:https');
const net = require('node:net');
const tls = require('node:tls');

const certificate = JSON.parse(process.env.CERTIFICATE);
const trust = { host: '127.0.0.1', ca: certificate.cert };
const done = (start) => new Promise(start);

async function exchange(socket) {
	await done((go) => socket.on('secureConnect', go));
	for (let i = 0; i < 3; i++) {
		socket.write('ping'); // → net.Socket.write kernel 6
		await done((go) => socket.once('data', go));
	}
	await done((go) => socket.on('close', go).destroy());
}

(async () => {
	const server = tls.createServer(certificate, (socket) => socket.on('error', () => undefined).pipe(socket));
	await done((go) => server.listen(0, '127.0.0.1', go));
	const { port } = server.address();
	await exchange(tls.connect({ ...trust, port })); // → tls.connect kernel 1
	// As databases do that speak in the clear first.
	const plain = net.connect(port, '127.0.0.1'); // → net.connect kernel 1
	await done((go) => plain.on('connect', go));
	await exchange(tls.connect({ ...trust, socket: plain })); // → tls.connect kernel 1
	// Node keeps what is written before the handshake is over, and sends it then.
	const early = tls.connect({ ...trust, port }); // → tls.connect kernel 1; net.Socket.write kernel 1
	early.write('early');
	await done((go) => early.once('data', go));
	early.write('late'); // → net.Socket.write kernel 1
	await done((go) => early.once('data', go));
	await done((go) => early.on('close', go).destroy());
	server.close();

	// ↓ http.Server request kernel 2
	const secure = https.createServer(certificate, (_request, response) => {
		setTimeout(() => response.end('hello'), 1); // → setTimeout timer 2
	});
	await done((go) => secure.listen(0, '127.0.0.1', go));
	const agent = new https.Agent({ keepAlive: true });
	for (let i = 0; i < 2; i++) {
		const options = { ...trust, port: secure.address().port, agent };
		await done((go) => https.get(options, (response) => response.resume().on('end', go))); // → https.get kernel 2
	}
	agent.destroy();
	secure.close();
	secure.closeAllConnections();
})();
