// Starts a server, asks it 60 times, six at a time, and ends it: `node load.cjs PATH NODE’S ARGUMENTS…`, where PORT becomes
// a free port. Prints what was answered, and how the server ended.
const { spawn } = require('node:child_process');
const http = require('node:http');
const net = require('node:net');

const [path, ...args] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: 6 });
/** Below those that systems give out by themselves, and above those of databases (test/support/database-servers.ts): nobody else gets it meanwhile. */
const somePort = () => 30_000 + Math.floor(Math.random() * 2700);

/** Finds a port that nobody listens on. */
function withPort(use) {
	const port = somePort();
	const free = net.createServer().listen(port, '127.0.0.1', () => free.close(() => use(port)));
	free.on('error', () => withPort(use));
}

function ask(port) {
	return new Promise((resolve, reject) => {
		http
			.get({ host: '127.0.0.1', port, path, agent }, (response) => {
				let text = '';
				response.setEncoding('utf8').on('data', (part) => (text += part));
				response.on('end', () => resolve(`${response.statusCode} ${text}`));
			})
			.on('error', reject);
	});
}

async function run(port) {
	const child = spawn(
		process.execPath,
		args.map((arg) => arg.replace('PORT', port)),
		{ stdio: 'ignore' },
	);
	let first = null;
	while (first === null) {
		first = await ask(port).catch(() => null);
		if (first === null) await new Promise((done) => setTimeout(done, 50));
	}
	const answers = new Set([first]);
	for (let round = 0; round < 10; round++) {
		for (const answer of await Promise.all(Array.from({ length: 6 }, () => ask(port)))) answers.add(answer);
	}
	child.on('exit', (code, signal) => {
		console.log([...answers].join('\n'), code, signal);
		agent.destroy();
	});
	child.kill('SIGTERM');
}

withPort(run);
