// The same work behind express, fastify, koa and Node's servers of HTTP/2, and in another process a client that asks each over one connection and measures
// how long each answer took. CERTIFICATE is the one of the server behind TLS. Its figures are printed: for each server its latencies, and for how long one of the two processes was ready meanwhile and had no CPU, in ms.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const http2 = require('node:http2');
const { setTimeout: sleep } = require('node:timers/promises');

const ROUNDS = 10;

async function work() {
	await sleep(30); // the wait
	await fs.promises.stat(__filename);
	spin(performance.now() + 10);
	return { done: true };
}

function spin(end) {
	while (performance.now() < end);
}

const SERVERS = {
	nothing: (port) => http.createServer((_request, response) => response.end()).listen(port), // nothing
	express(port) {
		const app = require('express')();
		// express ↓
		app.get('/', async (_request, response) => {
			response.json(await work());
		});
		return app.listen(port);
	},
	/** What its middleware and its handler first await is there already. */
	expressFromMemory(port) {
		const app = require('express')();
		app.use(async (_request, _response, next) => {
			await null;
			next();
		});
		// expressFromMemory ↓
		app.get('/', async (_request, response) => {
			await null;
			response.json(await work());
		});
		return app.listen(port);
	},
	fastify(port) {
		const app = require('fastify')();
		// fastify ↓
		app.get('/', async () => {
			return await work();
		});
		app.listen({ port: port.port, host: port.host });
		return app.server;
	},
	fastifyFromMemory(port) {
		const app = require('fastify')();
		// fastifyFromMemory ↓
		app.get('/', async () => {
			await null;
			return await work();
		});
		app.listen({ port: port.port, host: port.host });
		return app.server;
	},
	koa(port) {
		const Koa = require('koa');
		const app = new Koa();
		// koa ↓
		app.use(async (context) => {
			context.body = await work();
		});
		return app.listen(port);
	},
	http2(port) {
		// http2 ↓
		const handler = async (_request, response) => {
			response.end(JSON.stringify(await work()));
		};
		return http2.createServer(handler).listen(port);
	},
	http2Stream(port) {
		const server = http2.createServer();
		// http2Stream ↓
		server.on('stream', async (stream) => {
			const { done } = await work();
			stream.respond({ ':status': 200 });
			// More than one frame, and more than the connection's window.
			stream.end(String(done).repeat(100_000));
		});
		return server.listen(port);
	},
	http2Secure(port) {
		// http2Secure ↓
		const handler = async (_request, response) => {
			response.end(JSON.stringify(await work()));
		};
		return http2.createSecureServer(JSON.parse(process.env.CERTIFICATE), handler).listen(port);
	},
};

if (process.argv[2] === undefined) serve();
else ask(JSON.parse(process.argv[2])).then((seen) => console.log(JSON.stringify(seen)));

async function serve() {
	const servers = [];
	const ports = {};
	for (const [name, start] of Object.entries(SERVERS)) {
		const server = start({ port: 0, host: '127.0.0.1' });
		await new Promise((resolve) => (server.listening ? resolve() : server.once('listening', resolve)));
		ports[name] = server.address().port;
		servers.push(server);
	}
	const options = { env: {}, stdio: ['ignore', 'inherit', 'inherit'] };
	const client = spawn(process.execPath, [__filename, JSON.stringify(ports)], options);
	client.on('exit', () => {
		for (const server of servers) server.close();
	});
}

const INSECURE = { rejectUnauthorized: false };
const connected = (session) => new Promise((resolve) => session.once('connect', () => resolve(session)));

async function ask(ports) {
	const latencies = {};
	const withoutCpu = {};
	const agents = {};
	const get = async (name) => {
		const isHttp2 = name.startsWith('http2');
		agents[name] ??= isHttp2
			? await connected(http2.connect(`http${name === 'http2Secure' ? 's' : ''}://localhost:${ports[name]}`, INSECURE))
			: new http.Agent({ keepAlive: true, maxSockets: 1 });
		const from = performance.now();
		const before = readyWithoutCpu();
		await new Promise((resolve, reject) => {
			if (isHttp2) agents[name].request().on('error', reject).resume().on('end', resolve);
			else {
				const options = { port: ports[name], host: '127.0.0.1', agent: agents[name] };
				http.get(options, (response) => response.resume().on('end', resolve)).on('error', reject);
			}
		});
		latencies[name].push(performance.now() - from);
		withoutCpu[name] += readyWithoutCpu() - before;
	};
	for (const name of Object.keys(ports)) {
		latencies[name] = [];
		withoutCpu[name] = 0;
	}
	for (let i = 0; i < ROUNDS; i++) {
		for (const name of Object.keys(ports)) {
			await get(name);
			// The server is idle when the next one arrives, so it knows when that is.
			await sleep(2);
		}
	}
	for (const agent of Object.values(agents)) agent.destroy();
	return { latencies, withoutCpu };
}

/** For how long threads of the client and the server have been ready and had no CPU so far, in ms, where the system says so: Linux. */
function readyWithoutCpu() {
	let sum = 0;
	for (const pid of [process.pid, process.ppid]) {
		try {
			for (const thread of fs.readdirSync(`/proc/${pid}/task`)) {
				const [, waitedNs] = fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
				sum += Number(waitedNs) / 1e6;
			}
		} catch {
			// Another system, or a thread that has just ended.
		}
	}
	return sum;
}
