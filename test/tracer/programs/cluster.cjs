// A cluster of two that share a port: each serves one request, then one leaves by `disconnect` and the other by SIGTERM.
const cluster = require('node:cluster');
const http = require('node:http');

if (cluster.isPrimary) {
	const listening = [];
	const ended = [];
	for (let i = 0; i < 2; i++) cluster.fork();
	cluster.on('listening', (worker, { port }) => {
		if (listening.push(worker) < 2) return;
		let left = 2;
		const each = () =>
			http.get({ port, host: '127.0.0.1', agent: false }, (response) => {
				response.resume();
				response.on('end', () => {
					if (--left > 0) return each();
					listening[0].disconnect();
					listening[1].process.kill('SIGTERM');
				});
			});
		each();
	});
	cluster.on('exit', (_worker, code, signal) => {
		ended.push(`ended with ${code} ${signal}`);
		if (ended.length === 2) console.log(ended.sort().join('\n'));
	});
} else {
	http.createServer((_request, response) => setTimeout(() => response.end('here'), 10)).listen(0, '127.0.0.1');
}
