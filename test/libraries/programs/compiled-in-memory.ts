// TypeScript whose lines move when it becomes JavaScript. Behind each line (→): what it must show.
import { readFile } from 'node:fs';
import * as http from 'node:http';

type Answer = { text: string } | { error: Error };

const { ask } = require('./compiled-in-memory.js') as { ask(port: number): Promise<void> };

interface Options {
	/** Milliseconds. */
	pause: number;
}

async function pause({ pause }: Options): Promise<Answer> {
	await new Promise<void>((resolve) => {
		setTimeout(resolve, pause); // → setTimeout timer 2
	});
	return { text: `${pause}` };
}

// ↓ http.Server request kernel 2
const server = http.createServer((_request, response) => {
	readFile(__filename, () => response.end('text')); // → fs.readFile threadpool 2
});

server.listen(0, '127.0.0.1', async () => {
	const { port } = server.address() as { port: number };
	for (const one of [1, 2]) {
		await pause({ pause: one } satisfies Options);
		await ask(port);
	}
	server.close();
});
