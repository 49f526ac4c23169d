// Operations that do not end by their callback: what they wait for fails, is aborted, cleared, or answered in another way. One a line, each with its name.
// CERTIFICATE contains a key and a certificate for 127.0.0.1, as JSON.
const { spawn, execFile } = require('node:child_process');
const { createHash } = require('node:crypto');
const http = require('node:http');
const http2 = require('node:http2');
const https = require('node:https');
const net = require('node:net');

const ignore = () => undefined;
const once = (emitter, event) => new Promise((resolve) => emitter.once(event, resolve));

async function listening(server) {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return server.address().port;
}

async function failsToSpawn() {
	const failed = once(
		spawn('/nowhere/at-all'), // a spawn that fails
		'error',
	);
	await failed;
	// After an await, and two in one callback.
	const others = ['/nowhere/a', '/nowhere/b'].map(
		(file) => spawn(file), // spawns that fail later
	);
	await Promise.all(others.map((child) => once(child, 'error')));
	await new Promise((resolve) => execFile('/nowhere/c', resolve)); // an execFile that fails
	await once(
		spawn(process.execPath, ['--version'], { stdio: 'ignore', env: {} }), // a spawn that succeeds
		'exit',
	);
}

async function speaksOtherProtocols() {
	const server = http.createServer();
	server.on('upgrade', (_request, socket) => {
		socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
	});
	server.on('connect', (_request, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
	const port = await listening(server);
	const headers = { connection: 'Upgrade', upgrade: 'other' };
	await new Promise((resolve) => {
		const request = http.get({ port, headers }); // an upgrade
		request.on('upgrade', (_response, socket) => resolve(socket.destroy()));
	});
	await new Promise((resolve) => {
		const request = http.request({ port, method: 'CONNECT', path: 'elsewhere:1' }); // a tunnel
		request.on('connect', (_response, socket) => resolve(socket.destroy())).end();
	});
	server.close();
}

/** Of two WebSockets, one that opens, and one that nobody answers. Node has them from 22 on. */
async function opensWebSockets() {
	if (typeof WebSocket === 'undefined') return;
	const server = http.createServer();
	server.on('upgrade', (request, socket) => {
		const key = request.headers['sec-websocket-key'];
		const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
		const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
		socket.write([...head, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
		socket.on('data', () => socket.end());
	});
	const url = `ws://127.0.0.1:${await listening(server)}`;
	const socket = new WebSocket(url); // a WebSocket, answered
	await new Promise((resolve) => socket.addEventListener('open', resolve));
	socket.close();
	await new Promise((resolve) => socket.addEventListener('close', resolve));
	server.close();
	await new Promise((resolve) => server.once('close', resolve));
	const refused = new WebSocket(url); // a WebSocket, refused
	await new Promise((resolve) => refused.addEventListener('error', resolve));
}

/** Node reads such a file in C++, and nothing shows when that is over. */
async function sendsFiles() {
	const server = http2.createServer();
	server.on('stream', (stream) => {
		stream.respondWithFile(__filename); // sends a file
	});
	const client = http2.connect(`http://127.0.0.1:${await listening(server)}`);
	for (let i = 0; i < 6; i++) await once(client.request().resume(), 'end');
	client.close();
	server.close();
}

async function givesUp() {
	const server = http.createServer();
	const port = await listening(server);
	const controller = new AbortController();
	server.once('request', () => controller.abort());
	await fetch(`http://127.0.0.1:${port}`, { signal: controller.signal }).catch(ignore); // an aborted fetch
	const request = http.get({ port }).on('error', ignore); // a destroyed request
	server.once('request', () => request.destroy());
	await once(request, 'close');
	server.closeAllConnections();
	server.close();

	const silent = net.createServer((socket) => socket.on('error', ignore));
	const socket = net.connect(await listening(silent)).on('data', ignore);
	silent.once('connection', (other) => other.once('data', () => socket.destroy()));
	await once(socket, 'connect');
	socket.write('anyone?'); // a destroyed socket
	await once(socket, 'close');
	silent.close();

	// Nobody receives what its server might answer.
	const sink = net.createServer((other) => other.on('error', ignore).resume().unref());
	const sent = net.connect(await listening(sink));
	await once(sent, 'connect');
	for (let i = 0; i < 3; i++) {
		sent.write('metric:1'); // only sent
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
	sink.close();
	const echo = net.createServer((other) =>
		other.on('error', ignore).on('data', () => setTimeout(() => other.end('yes'), 5)),
	);
	const asks = net.connect(await listening(echo));
	await once(asks, 'connect');
	asks.write('anyone?'); // received by a listener that comes later
	await new Promise((resolve) => setTimeout(resolve, 1));
	await once(asks, 'data');
	asks.destroy();
	echo.close();
	sent.unref();
}

/** Asks a server of HTTP/1 for an answer, and for another one without waiting for it. */
async function leavesRequest({ get, Agent }, server, options = {}) {
	const { ask, asked } = waiting();
	server.on('request', (request) => {
		if (request.url === '/wait') ask(request);
	});
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const to = { port: await listening(server), host: '127.0.0.1', agent, ...options };
	await new Promise((resolve) => get(to, (response) => response.resume().on('end', resolve)));
	const left = get({ ...to, path: '/wait' }).on('error', ignore);
	const { socket } = await asked;
	left.destroy();
	if (!socket.destroyed) await once(socket, 'close');
	server.close();
}

/** The same over HTTP/2. @param leave what the client does, given its session and the stream */
async function leavesStream(server, leave, options) {
	const { ask, asked } = waiting();
	server.on('stream', (stream, headers) => {
		if (headers[':path'] === '/wait') ask(stream);
	});
	const scheme = options === undefined ? 'http' : 'https';
	const session = http2.connect(`${scheme}://127.0.0.1:${await listening(server)}`, options).on('error', ignore);
	await new Promise((resolve) => session.request().resume().on('end', resolve));
	const stream = session.request({ ':path': '/wait' }).on('error', ignore); // a stream without an answer
	const served = (await asked).on('error', ignore);
	leave(session, stream);
	await once(served, 'close');
	session.close();
	server.close();
}

function waiting() {
	let ask;
	const asked = new Promise((resolve) => {
		ask = resolve;
	});
	return { ask, asked };
}

/** Of two requests each, one whose client does not wait for the answer. */
async function servesInVain() {
	const certificate = JSON.parse(process.env.CERTIFICATE);
	const trust = { ca: certificate.cert, servername: 'localhost' };
	const reset = (_session, stream) => stream.close(http2.constants.NGHTTP2_CANCEL);
	const lose = (session) => session.destroy();
	// served requests ↓
	const first = http.createServer((request, response) => {
		setImmediate(() => request.url !== '/wait' && response.end());
		request.once('close', () => response.end());
	});
	await leavesRequest(http, first);
	// served requests over TLS ↓
	const secure = https.createServer(certificate, (request, response) => {
		setImmediate(() => request.url !== '/wait' && response.end());
	});
	await leavesRequest(https, secure, trust);
	// served streams ↓
	const second = http2.createServer((request, response) => {
		setImmediate(() => request.url !== '/wait' && response.end());
	});
	await leavesStream(second, reset);
	// streams of a lost session ↓
	const lost = http2.createServer((request, response) => {
		setImmediate(() => request.url !== '/wait' && response.end());
	});
	await leavesStream(lost, lose);
	// streams of a session over TLS ↓
	const lostSecure = http2.createSecureServer(certificate, (request, response) => {
		setImmediate(() => request.url !== '/wait' && response.end());
	});
	await leavesStream(lostSecure, lose, trust);
}

function clears() {
	clearImmediate(setImmediate(ignore)); // a cleared immediate
	clearTimeout(setTimeout(ignore, 60_000)); // a cleared timer
	setTimeout(ignore, 60_000).unref(); // a timer without a reference
}

clears();
failsToSpawn().then(speaksOtherProtocols).then(opensWebSockets).then(sendsFiles).then(givesUp).then(servesInVain);
