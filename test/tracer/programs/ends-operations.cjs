// Operations that do not end by their callback: what they wait for fails, is aborted, cleared, or answered in another way. One a line, each with its name.
const { spawn, execFile } = require('node:child_process');
const http = require('node:http');
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
	const socket = net.connect(await listening(silent));
	silent.once('connection', (other) => other.once('data', () => socket.destroy()));
	await once(socket, 'connect');
	socket.write('anyone?'); // a destroyed socket
	await once(socket, 'close');
	silent.close();
}

function clears() {
	clearImmediate(setImmediate(ignore)); // a cleared immediate
	clearTimeout(setTimeout(ignore, 60_000)); // a cleared timer
	setTimeout(ignore, 60_000).unref(); // a timer without a reference
}

clears();
failsToSpawn().then(speaksOtherProtocols).then(givesUp);
