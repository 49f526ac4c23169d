// A service that asks another one, and passes streams on. Behind each line (→): what it must show, `each` for once per round of
// requests. Arguments: rounds, concurrency.
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { pipeline } = require('node:stream/promises');
const { setTimeout: sleep } = require('node:timers/promises');
const zlib = require('node:zlib');
const { load } = require('./load.cjs');

const [rounds, concurrency] = process.argv.slice(2).map(Number);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'fetch-streams-'));

// ↓ http.Server request kernel 3 each
const upstream = http.createServer(async (_request, response) => {
	await sleep(1); // → timers.promises.setTimeout timer 3 each
	response.end('{"answer":42}');
});
const ask = (question) => `http://127.0.0.1:${upstream.address().port}/${question}`;

const handlers = {
	// ↓ http.Server request kernel each
	'/json': async (response) => {
		const answer = await fetch(ask('one')); // → fetch kernel each
		response.end(JSON.stringify(await answer.json()));
	},
	// ↓ http.Server request kernel each
	'/two': async (response) => {
		const answers = await Promise.all([
			fetch(ask('first')), // → fetch kernel each
			fetch(ask('second')), // → fetch kernel each
		]);
		response.end((await Promise.all(answers.map((answer) => answer.text()))).join());
	},
	// ↓ http.Server request kernel each
	'/file': async (response) => {
		await pipeline(fs.createReadStream(__filename), response); // → fs.createReadStream threadpool each
	},
	// ↓ http.Server request kernel each
	'/packed': async (response) => {
		const packing = zlib.createGzip(); // → zlib.createGzip threadpool each
		const file = fs.createReadStream(__filename); // → fs.createReadStream threadpool each
		await pipeline(file, packing, response);
	},
	// ↓ http.Server request kernel each
	'/lines': async (response) => {
		const input = fs.createReadStream(__filename); // → fs.createReadStream threadpool each
		let lines = 0;
		for await (const line of readline.createInterface({ input })) lines += line.length > 0 ? 1 : 0;
		response.end(String(lines));
	},
	// ↓ http.Server request kernel each
	'/copy': async (response) => {
		const name = path.join(scratch, `${Math.random()}`);
		const copy = fs.createWriteStream(name); // → fs.createWriteStream threadpool each
		copy.write('some ');
		copy.end('text');
		await once(copy, 'close');
		const { size } = await fs.promises.stat(name); // → fs.promises.stat threadpool each
		fs.unlink(name, () => response.end(String(size))); // → fs.unlink threadpool each
	},
};

const server = http.createServer((request, response) => {
	handlers[request.url](response).catch((error) => response.destroy(error));
});

async function main() {
	await new Promise((resolve) => upstream.listen(0, '127.0.0.1', resolve));
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	await load({ port: server.address().port, routes: Object.keys(handlers), rounds, concurrency });
	for (const one of [server, upstream]) {
		one.close();
		one.closeAllConnections();
	}
	fs.rmSync(scratch, { recursive: true });
}

main();
