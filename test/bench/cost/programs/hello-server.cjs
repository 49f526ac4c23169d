// An HTTP server that says hello, as fast as a client in an untraced process of its own asks: 8 connections that are kept alive.
const { fork } = require('node:child_process');
const http = require('node:http');
const { measure } = require('./measure.cjs');

const WARM_UP = 2000;
const REQUESTS = 12_000;

if (process.argv[2] === 'client') ask(Number(process.argv[3]));
else serve();

function serve() {
	let requests = 0;
	let end = () => undefined;
	const server = http.createServer((_request, response) => {
		if (++requests === WARM_UP) end = measure();
		response.end('hello');
	});
	server.listen(0, '127.0.0.1', () => {
		const { NODE_OPTIONS, WAITLINE_FOLDER, ...env } = process.env;
		const args = ['client', String(server.address().port)];
		fork(__filename, args, { env, execArgv: [] }).on('exit', () => {
			end(REQUESTS - WARM_UP);
			server.close();
			server.closeAllConnections();
		});
	});
}

function ask(port) {
	const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
	let asked = 0;
	let answered = 0;
	function next() {
		if (asked++ >= REQUESTS) return;
		http.get({ port, agent, host: '127.0.0.1' }, (response) => {
			response.resume().on('end', () => (++answered === REQUESTS ? agent.destroy() : next()));
		});
	}
	for (let i = 0; i < 8; i++) next();
}
