// Recordings as files: what was written is read, damage is said in one sentence.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { NotARecording, readRecording, writeRecording } from '../../src/host/recording-file.ts';

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'waitline-recording-'));
	try {
		await use(folder);
	} finally {
		await rm(folder, { recursive: true });
	}
}

test('journals come out as they went in', () =>
	inFolder(async (folder) => {
		const journals = { '1.0.5.journal': 'first', '22.0.6.journal': '', '3.1.7.journal': 'third ü' };
		for (const [name, text] of Object.entries(journals)) await writeFile(path.join(folder, name), text);
		const file = path.join(folder, 'r.waitline');
		const pauses = [
			{ pid: 7, from: 10, to: 20.5 },
			{ pid: 7, from: 30, to: Infinity },
		];
		const sources = new Map([['/a b/ü.js', 'first\nsecond\n']]);
		await writeRecording(file, folder, Object.keys(journals), pauses, sources);
		const recording = await readRecording(file);
		assert.deepEqual(recording.pauses, pauses);
		assert.deepEqual(recording.sources, sources);
		assert.deepEqual(
			Object.fromEntries(recording.journals.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])),
			journals,
		);

		const whole = await readFile(file);
		for (let length = 0; length < whole.length; length++) {
			await writeFile(file, whole.subarray(0, length));
			const read = await readRecording(file).catch((error: unknown) => error);
			assert.ok(!(read instanceof Error) || read instanceof NotARecording, `cut at ${length}: ${read}`);
		}
	}));

test('a file that is something else, or not there, is named in one sentence', () =>
	inFolder(async (folder) => {
		const file = path.join(folder, 'page.html');
		await writeFile(file, '<html>');
		await assert.rejects(readRecording(file), (error: Error) => {
			assert.ok(error instanceof NotARecording);
			assert.match(error.message, /page\.html is not a Waitline recording; name a file that .* has written\.$/);
			return true;
		});
		await assert.rejects(readRecording(path.join(folder, 'missing')), /Cannot read .*missing/);
	}));

test('pauses and sources that are damaged are left out, and the rest is read', () =>
	inFolder(async (folder) => {
		await writeFile(path.join(folder, '1.0.5.journal'), 'journal');
		const file = path.join(folder, 'r.waitline');
		const good = { pid: 7, from: 10, to: 20 };
		const damaged = [null, 5, 'x', {}, { pid: 7, from: 'x', to: 1 }, { pid: 7, from: 9, to: 1 }];
		const sources = new Map([['/a.js', 5 as unknown as string]]).set('/b.js', 'text');
		await writeRecording(file, folder, ['1.0.5.journal'], [...(damaged as (typeof good)[]), good], sources);
		const read = await readRecording(file);
		assert.deepEqual(read.pauses, [good]);
		assert.deepEqual(read.sources, new Map([['/b.js', 'text']]));
	}));
