// Writes more than the system buffers to readers that read nothing at first, each in a process of its own: over TCP, TLS and HTTP, and to a
// child's input. Prints how long each write took. Then it writes over TLS to a server that
// answers no handshake for a while: a wait for that, not for a reader. CERTIFICATE contains a key and a certificate for 127.0.0.1, as JSON.
const { spawn } = require('node:child_process');
const http = require('node:http');
const https = require('node:https');
const net = require('node:net');
const tls = require('node:tls');
const { once } = require('node:events');

const certificate = JSON.parse(process.env.CERTIFICATE);
/** More than the system buffers on its way. */
const LARGE = Buffer.alloc(16 * 1024 * 1024);
const PAUSE_MS = 300;
/** Connects to the port that it is given, asks for something, and reads nothing for a while. */
const READER = `
const [port, module] = process.argv.slice(1);
const socket = require(module).connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
socket.once(module === 'tls' ? 'secureConnect' : 'connect', () => {
	socket.write('GET / HTTP/1.1\\r\\nhost: a\\r\\nconnection: close\\r\\n\\r\\n');
	setTimeout(() => socket.resume(), ${PAUSE_MS});
});
socket.on('end', () => socket.destroy());
`;
const CHILD = `setTimeout(() => process.stdin.resume(), ${PAUSE_MS})`;

function spent(what, from) {
	console.log(`${what}: ${from.toFixed(3)} to ${performance.now().toFixed(3)} ms`);
}

/** Serves one slow reader. */
async function serve(server, module) {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const reader = spawn(process.execPath, ['-e', READER, server.address().port, module], {
		env: { ...process.env, NODE_OPTIONS: '' },
		stdio: 'inherit',
	});
	await once(reader, 'exit');
	server.close();
}

async function sendOverTcp(socket) {
	const from = performance.now();
	socket.write(LARGE); // to a slow reader
	await once(socket, 'drain');
	spent('tcp', from);
	socket.end();
}

async function sendOverTls(socket) {
	const asked = once(socket, 'data');
	await new Promise((resolve) => socket.write('little', resolve)); // little over TLS
	await asked;
	socket.write(LARGE); // much over TLS
	const from = performance.now();
	await once(socket, 'drain');
	spent('tls', from);
	socket.end();
}

async function respond(_request, response) {
	const from = performance.now();
	response.write(LARGE); // of a response
	await once(response, 'drain');
	spent('http', from);
	response.end();
}

async function respondOverTls(_request, response) {
	response.write(LARGE); // by HTTPS
	const from = performance.now();
	await once(response, 'drain');
	spent('secure response', from);
	response.end();
}

/** A fast reader of its own, while another one over TLS is slow. */
async function answerFast(socket) {
	socket.write('fast'); // to a fast reader over TLS
	await once(socket, 'data');
	socket.end('as well');
}

async function feedChild() {
	const child = spawn(process.execPath, ['-e', CHILD], { stdio: ['pipe', 'ignore', 'inherit'] });
	await once(child, 'spawn');
	const from = performance.now();
	child.stdin.write(LARGE, () => spent('child', from)); // to a child
	child.stdin.end();
	await once(child, 'exit');
}

/** The server takes the connection for TLS only after a while. */
async function waitForHandshake() {
	const secure = tls.createServer(certificate, (socket) => socket.resume());
	const server = net.createServer({ pauseOnConnect: true }, (socket) => {
		setTimeout(() => secure.emit('connection', socket), PAUSE_MS);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const socket = tls.connect({ host: '127.0.0.1', port: server.address().port, rejectUnauthorized: false });
	socket.end('early'); // before the handshake
	await once(socket.resume(), 'close');
	server.close();
}

(async () => {
	await serve(net.createServer(sendOverTcp), 'net');
	await serve(tls.createServer(certificate, sendOverTls), 'tls');
	await Promise.all([
		serve(https.createServer(certificate, respondOverTls), 'tls'),
		serve(tls.createServer(certificate, answerFast), 'tls'),
	]);
	await serve(http.createServer(respond), 'net');
	await feedChild();
	await waitForHandshake();
})();
