// TypeScript whose lines move when it becomes JavaScript. Behind each line (→): what it must show.
import { readFile } from 'node:fs';
import { stat } from 'node:fs/promises';

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

for (const ms of [1, 2, 3] as const) {
	const found: Read = await pause(ms, await read(file));
	if (found.bytes < 0) throw new Error('A folder cannot be smaller than nothing.');
}
readFile(process.execPath.slice(0, 0) as unknown as string, () => undefined); // → fs.readFile threadpool 1
