// Servers whose requests' time goes to different things, and in another process a client that measures how long each answer took, over one connection per
// server. The client's figures are printed: for each server its latencies, and for how long one of the two processes was ready meanwhile and had no CPU, in ms.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');

/** When the timer of the request that is to be blocked is due. */
let due = 0;

const HANDLERS = {
	nothing(_request, response) {
		response.end();
	},
	async waits(_request, response) {
		await sleep(30);
		await fs.promises.readFile(__filename);
		response.end();
	},
	async together(_request, response) {
		await Promise.all([sleep(15), sleep(45)]);
		response.end();
	},
	computes(_request, response) {
		spin(performance.now() + 25);
		response.end();
	},
	async blocked(_request, response) {
		response.write('ask the other one now');
		const slept = sleep(200);
		due = performance.now() + 200;
		await slept;
		response.end();
	},
	hogs(_request, response) {
		const isInTime = performance.now() < due;
		spin(due + 60);
		// For how long the other one's timer was due and could not run; a slow machine may have run it before.
		response.end(String(isInTime ? performance.now() - due : 0));
	},
};

function spin(end) {
	while (performance.now() < end);
}

if (process.argv[2] === undefined) serve();
else ask(JSON.parse(process.argv[2])).then((seen) => console.log(JSON.stringify(seen)));

async function serve() {
	const servers = [];
	const ports = {};
	for (const [name, handler] of Object.entries(HANDLERS)) {
		const server = http.createServer(handler);
		await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
		ports[name] = server.address().port;
		servers.push(server);
	}
	const options = { env: {}, stdio: ['ignore', 'inherit', 'inherit'] };
	const client = spawn(process.execPath, [__filename, JSON.stringify(ports)], options);
	client.on('exit', () => {
		for (const server of servers) server.close();
	});
}

async function ask(ports) {
	const latencies = {};
	const withoutCpu = {};
	let overdueMs = 0;
	const agents = {};
	/** @param onData called with the first bytes of the answer */
	const get = (name, onData = () => undefined) =>
		new Promise((resolve, reject) => {
			agents[name] ??= new http.Agent({ keepAlive: true, maxSockets: 1 });
			const from = performance.now();
			const before = readyWithoutCpu();
			// Routes differ by the path too.
			const request = http.get({ port: ports[name], path: `/${name}`, agent: agents[name] }, (response) => {
				response.once('data', onData).resume();
				response.on('end', () => {
					latencies[name].push(performance.now() - from);
					withoutCpu[name] += readyWithoutCpu() - before;
					resolve();
				});
			});
			request.on('error', reject);
		});
	for (const name of Object.keys(ports)) {
		latencies[name] = [];
		withoutCpu[name] = 0;
	}
	for (let i = 0; i < 20; i++) {
		for (const name of ['nothing', 'waits', 'together', 'computes']) {
			await get(name);
			// The server is idle when the next one arrives, so it knows when that is.
			await sleep(2);
		}
	}
	for (let i = 0; i < 5; i++) {
		let hogs;
		await get('blocked', () => {
			hogs = get('hogs', (blockedMs) => {
				overdueMs += Number(blockedMs);
			});
		});
		await hogs;
	}
	for (const agent of Object.values(agents)) agent.destroy();
	return { latencies, withoutCpu, overdueMs };
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
