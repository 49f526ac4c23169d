// A server with a child process and a Worker that ask it, over connections that are kept alive: three journals, one of them of a child.
const { fork } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const { isMainThread, Worker, workerData } = require('node:worker_threads');

/** One more than there are connections. */
const REQUESTS = 3;

if (isMainThread && process.argv[2] === undefined) serve();
else ask(Number(process.argv[2] ?? workerData));

function serve() {
	const server = http.createServer((request, response) => {
		fs.stat(__filename, () => response.end(request.url));
	});
	server.listen(0, '127.0.0.1', () => {
		const { port } = server.address();
		let running = 2;
		const end = () => {
			if (--running === 0) server.close();
		};
		fork(__filename, [String(port)]).on('exit', end);
		new Worker(__filename, { workerData: port }).on('exit', end);
	});
}

function ask(port) {
	const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
	let left = REQUESTS;
	for (let i = 0; i < REQUESTS; i++) {
		http.get({ host: '127.0.0.1', port, path: `/${i}`, agent }, (response) => {
			response.resume().on('end', () => {
				fs.promises.readFile(__filename).then(() => {
					if (--left === 0) agent.destroy();
				});
			});
		});
	}
}
