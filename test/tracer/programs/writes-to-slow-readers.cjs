// Writes more than the system buffers to readers that read nothing until this program asks them to, each in a process of its own: over TCP, TLS and HTTP, and to
// a child's input. Prints how long each write took, and how long it must have taken at least: from when it was called until the reader was asked. Then it
// writes over TLS to a server that answers no handshake for a while: a wait for that, not for a reader. CERTIFICATE contains a key and a certificate for
// 127.0.0.1, as JSON.
const { spawn } = require('node:child_process');
const http = require('node:http');
const https = require('node:https');
const net = require('node:net');
const tls = require('node:tls');
const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');

const certificate = JSON.parse(process.env.CERTIFICATE);
/** More than the system buffers on its way. */
const LARGE = Buffer.alloc(16 * 1024 * 1024);
const PAUSE_MS = 300;
/** Connects to the port that it is given, asks for something, and reads nothing until it is asked to. */
const READER = `
const [port, module] = process.argv.slice(1);
const socket = require(module).connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
socket.once(module === 'tls' ? 'secureConnect' : 'connect', () => {
	socket.write('GET / HTTP/1.1\\r\\nhost: a\\r\\nconnection: close\\r\\n\\r\\n');
	process.once('message', () => {
		socket.resume();
		process.disconnect();
	});
});
socket.on('end', () => socket.destroy());
`;
const CHILD = `
process.once('message', () => {
	process.stdin.resume();
	process.disconnect();
});
`;
const now = () => performance.now();

/** Asks a reader to read, and returns when that was. */
function letRead(reader) {
	const at = now();
	reader.send('read');
	return at;
}

/**
 * What was written is still on its way: lets it wait for a while, and prints how long it took.
 * @param from before it was written @param by after that
 * @param over resolves when it is written
 */
async function spend(what, reader, from, by, over) {
	await sleep(PAUSE_MS);
	const asked = letRead(reader);
	await over;
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms, at least ${(asked - by).toFixed(3)} ms`);
}

/** What a response is given is written in a tick, which comes before this one. */
const written = () => new Promise(process.nextTick);

/** Serves one slow reader. @param listener is called with what is to be written to, and the reader */
async function serve(create, listener, module) {
	let reader;
	const server = create((...args) => listener(args.at(-1), reader));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	reader = spawn(process.execPath, ['-e', READER, server.address().port, module], {
		env: { ...process.env, NODE_OPTIONS: '' },
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	await once(reader, 'exit');
	server.close();
}

async function sendOverTcp(socket, reader) {
	const from = now();
	socket.write(LARGE); // to a slow reader
	await spend('tcp', reader, from, now(), once(socket, 'drain'));
	socket.end();
}

async function sendOverTls(socket, reader) {
	const asked = once(socket, 'data');
	await new Promise((resolve) => socket.write('little', resolve)); // little over TLS
	await asked;
	const from = now();
	socket.write(LARGE); // much over TLS
	await spend('tls', reader, from, now(), once(socket, 'drain'));
	socket.end();
}

async function respond(response, reader) {
	const from = now();
	response.write(LARGE); // of a response
	await written();
	await spend('http', reader, from, now(), once(response, 'drain'));
	response.end();
}

/** What it writes, `end` sends already. */
async function respondAtOnce(response, reader) {
	const from = now();
	response.write(LARGE); // ended at once
	response.end();
	await spend('ended', reader, from, now(), once(response, 'finish'));
}

async function respondOverTls(response, reader) {
	const from = now();
	response.write(LARGE); // by HTTPS
	await written();
	await spend('secure response', reader, from, now(), once(response, 'drain'));
	response.end();
}

/** A fast reader of its own, while another one over TLS is slow. */
async function answerFast(socket, reader) {
	letRead(reader);
	socket.write('fast'); // to a fast reader over TLS
	await once(socket, 'data');
	socket.end('as well');
}

async function feedChild() {
	const child = spawn(process.execPath, ['-e', CHILD], { stdio: ['pipe', 'ignore', 'inherit', 'ipc'] });
	await once(child, 'spawn');
	const exit = once(child, 'exit');
	let end;
	const over = new Promise((resolve) => {
		end = resolve;
	});
	const from = now();
	child.stdin.write(LARGE, end); // to a child
	const by = now();
	child.stdin.end();
	await spend('child', child, from, by, over);
	await exit;
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
	const secure = (listener) => tls.createServer(certificate, listener);
	await serve((listener) => net.createServer(listener), sendOverTcp, 'net');
	await serve(secure, sendOverTls, 'tls');
	await Promise.all([
		serve((listener) => https.createServer(certificate, listener), respondOverTls, 'tls'),
		serve(secure, answerFast, 'tls'),
	]);
	await serve((listener) => http.createServer(listener), respond, 'net');
	await serve((listener) => http.createServer(listener), respondAtOnce, 'net');
	await feedChild();
	await waitForHandshake();
})();
