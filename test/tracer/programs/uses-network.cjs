// Sockets, names and servers in all their ways. What a report must say of a line stands behind it (→) or above it (↓): name, class
// and count of each entry. Lines without such a comment must have none.
const dgram = require('node:dgram');
const dns = require('node:dns');
const http = require('node:http');
const http2 = require('node:http2');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const done = (start) => new Promise(start);

/** A name server that knows no name: every question is answered with "no such domain". */
async function nameServer() {
	const server = dgram.createSocket('udp4'); // → dgram.Socket message kernel 4
	server.on('message', (question, { port, address }) => {
		const answer = Buffer.from(question);
		answer.writeUInt16BE(0x8183, 2);
		server.send(answer, port, address);
	});
	await done((go) => server.bind(0, '127.0.0.1', go));
	return server;
}

async function names() {
	const server = await nameServer();
	const address = `127.0.0.1:${server.address().port}`;
	dns.setServers([address]);
	await done((go) => dns.resolve4('a.example', go)); // → dns.resolve4 kernel 1
	await dns.promises.resolveMx('b.example').catch(() => undefined); // → dns.promises.resolveMx kernel 1
	const resolver = new dns.promises.Resolver();
	resolver.setServers([address]);
	await resolver.resolveTxt('c.example').catch(() => undefined); // → dns.promises.resolveTxt kernel 1
	await dns.promises.reverse('127.0.0.9').catch(() => undefined); // → dns.promises.reverse kernel 1
	await done((go) => dns.lookupService('127.0.0.1', 22, go)); // → dns.lookupService threadpool 1
	server.close();
}

async function sockets() {
	const server = net.createServer((socket) => socket.end('hello'));
	await done((go) => server.listen(0, '127.0.0.1', go));
	const socket = net.connect(server.address().port, '127.0.0.1'); // → net.connect kernel 1
	await done((go) => socket.resume().on('close', go));
	server.close();
	const name = path.join(os.tmpdir(), `waitline-${process.pid}.sock`);
	const local = net.createServer((socket) => socket.end('hello'));
	await done((go) => local.listen(name, go));
	const pipe = net.createConnection(name); // → net.connect kernel 1
	await done((go) => pipe.resume().on('close', go));
	const refused = new net.Socket();
	refused.connect({ port: 1, host: '127.0.0.1' }); // → net.Socket.connect kernel 1
	await done((go) => refused.on('error', go));
	local.close();
}

async function exchanges() {
	const server = net.createServer((socket) => socket.pipe(socket));
	await done((go) => server.listen(0, '127.0.0.1', go));
	const socket = net.connect(server.address().port, '127.0.0.1'); // → net.connect kernel 1
	await done((go) => socket.on('connect', go));
	for (let i = 0; i < 5; i++) {
		socket.write('ping'); // → net.Socket.write kernel 5
		await done((go) => socket.once('data', go));
	}
	const echoed = done((go) => {
		let rest = 3;
		socket.on('data', ({ length }) => {
			rest -= length;
			if (rest === 0) go();
		});
	});
	for (const letter of 'abc') socket.write(letter); // → net.Socket.write kernel 3
	await echoed;
	socket.end('good bye'); // → net.Socket.write kernel 1
	await done((go) => socket.resume().on('close', go));
	// Node keeps what is written before there is a connection, and sends it later.
	const early = net.connect(server.address().port, '127.0.0.1'); // → net.connect kernel 1; net.Socket.write kernel 1
	early.write('early');
	await done((go) => early.once('data', go));
	early.write('late'); // → net.Socket.write kernel 1
	await done((go) => early.once('data', go));
	await done((go) => early.on('close', go).end());
	server.close();
}

async function secondHttp() {
	const server = http2.createServer();
	// ↓ http2.Server request kernel 3
	server.on('stream', (stream) => {
		setTimeout(() => stream.end('hello'), 5); // → setTimeout timer 3
	});
	await done((go) => server.listen(0, '127.0.0.1', go));
	const session = http2.connect(`http://127.0.0.1:${server.address().port}`); // → http2.connect kernel 1
	await done((go) => session.on('connect', go));
	for (let i = 0; i < 3; i++) {
		const stream = session.request({ ':path': '/' }); // → ClientHttp2Session.request kernel 3
		await done((go) => stream.resume().on('end', go));
	}
	session.close();
	server.close();
}

async function firstHttp() {
	// ↓ http.Server request kernel 3
	const server = http.createServer((_request, response) => {
		setTimeout(() => response.end('hello'), 5); // → setTimeout timer 3
	});
	await done((go) => server.listen(0, '127.0.0.1', go));
	const { port } = server.address();
	await done((go) => http.get({ port, agent: false }, (response) => response.resume().on('end', go))); // → http.get kernel 1; dns.lookup threadpool 1
	const request = http.request({ port, method: 'POST', agent: false }); // → http.request kernel 1; dns.lookup threadpool 1
	request.end('body');
	await done((go) => request.on('response', (response) => response.resume().on('end', go)));
	await (await fetch(`http://127.0.0.1:${port}`)).text(); // → fetch kernel 1
	server.close();
	server.closeAllConnections();
}

(async () => {
	await names();
	await sockets();
	await exchanges();
	await secondHttp();
	await firstHttp();
})();
