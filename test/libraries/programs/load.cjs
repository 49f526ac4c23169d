// Requests to a server in the same process, `concurrency` at a time, `rounds` of each route, in an order that is mixed but the same
// in each run.
const http = require('node:http');

/** @param {{ port: number, routes: string[], rounds: number, concurrency: number }} load */
exports.load = async function load({ port, routes, rounds, concurrency }) {
	const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
	const queue = [];
	for (let round = 0; round < rounds; round++) {
		for (let i = 0; i < routes.length; i++) queue.push(routes[(i * 7 + round * 3) % routes.length]);
	}
	const get = (path) =>
		new Promise((resolve, reject) => {
			const request = http.get({ port, host: '127.0.0.1', path, agent }, (response) => {
				if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
				response.resume().on('end', resolve);
			});
			request.on('error', reject);
		});
	const worker = async () => {
		for (let path = queue.pop(); path !== undefined; path = queue.pop()) await get(path);
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	agent.destroy();
};
