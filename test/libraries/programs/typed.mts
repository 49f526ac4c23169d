// TypeScript whose lines move when it becomes JavaScript. Behind each line (→): what it must show.
import { readFile } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Read {
	bytes: number;
	at: Date;
}

type Reader = (file: string) => Promise<Read>;

const file: string = process.execPath.replace(/[^/]*$/, '');

const read: Reader = async (folder: string): Promise<Read> => {
	const { size, mtime } = await stat(folder); // → fs.promises.stat threadpool 3
	return { bytes: size, at: mtime } satisfies Read;
};

async function pause<T>(ms: number, value: T): Promise<T> {
	return new Promise<T>((resolve) => {
		setTimeout(() => resolve(value), ms); // → setTimeout timer 3
	});
}

const server = createServer((_request, response) => later(() => response.end())); // → http.Server request kernel 2

function later(callback: () => void): void {
	setTimeout(callback, 1); // → setTimeout timer 2
}

async function ask(): Promise<void> {
	const { port } = server.address() as AddressInfo;
	const options = { host: '127.0.0.1', port, agent: false } as const;
	await new Promise<void>((resolve) => {
		get(options, (response) => response.resume().on('end', resolve)); // → http.get kernel 2
	});
}

for (const ms of [1, 2, 3] as const) {
	const found: Read = await pause(ms, await read(file));
	if (found.bytes < 0) throw new Error('A folder cannot be smaller than nothing.');
}
readFile(process.execPath.slice(0, 0) as unknown as string, () => undefined); // → fs.readFile threadpool 1
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
await ask();
await ask();
server.close();
