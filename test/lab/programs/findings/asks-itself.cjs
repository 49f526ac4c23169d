// A server whose requests ask a second one, which answers after a known time, and a client of it.
const http = require('node:http');

/** Rounds of the client, one request after the other. */
const ROUNDS = 3;

/**
 * The client asks as the first argument says: `serve` by default, `changed`, or `both` in turn, so that both see the same machine. Then it prints
 * how long it waited for each, by round, in ms.
 * @param handlers get the second server's address, return the answer
 * @param delayMs of the second server; of no interest where handlers ask another one
 */
exports.run = async (handlers, delayMs = 0) => {
	const [name = 'serve'] = process.argv.slice(2);
	const asked = name === 'both' ? ['serve', 'changed'] : [name];
	const store = http.createServer(({ url }, response) =>
		setTimeout(() => response.end(JSON.stringify({ url })), delayMs),
	);
	const at = await listen(store);
	// The first request opens the connection.
	await (await fetch(`${at}/`)).text();
	const server = http.createServer(async ({ url }, response) => {
		response.end(JSON.stringify(await handlers[url.slice(1)](at)));
	});
	const port = new URL(await listen(server)).port;
	const agent = new http.Agent({ keepAlive: true });
	const waited = { serve: [], changed: [] };
	for (let round = 0; round < ROUNDS; round++) {
		for (const each of asked) {
			const begin = performance.now();
			await new Promise((resolve) => {
				const options = { host: '127.0.0.1', port, agent, path: `/${each}` };
				http.get(options, (response) => response.resume().on('end', resolve));
			});
			waited[each].push(performance.now() - begin);
		}
	}
	console.log(JSON.stringify(waited));
	agent.destroy();
	for (const each of [server, store]) {
		each.closeAllConnections();
		each.close();
	}
};

function listen(server) {
	return new Promise((resolve) => {
		server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
	});
}
