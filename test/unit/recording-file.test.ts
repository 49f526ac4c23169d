// Recordings as files: what was written is read, damage is reported in one sentence.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import {
	NotARecording,
	parseRecording,
	type Recording,
	readRecording,
	writeRecording,
} from '../../src/host/recording-file.ts';
import { reportSourceOf } from '../../src/host/report-source.ts';
import type { Warning } from '../../src/protocol/report.ts';

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
		const asyncStacks = [{ pid: 8, from: 5, to: Infinity }];
		const otherPaths = new Map([['/link/ü.js', '/a b/ü.js']]);
		await writeRecording(file, folder, Object.keys(journals), { pauses, asyncStacks, otherPaths }, sources);
		const recording = await readRecording(file);
		assert.deepEqual(recording.pauses, pauses);
		assert.deepEqual(recording.asyncStacks, asyncStacks);
		assert.deepEqual(recording.otherPaths, otherPaths);
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
			assert.match(error.message, /page\.html is not a Waitline recording\. Give a file that .* has written\.$/);
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
		const all = [...(damaged as (typeof good)[]), good];
		const sources = new Map([['/a.js', 5 as unknown as string]]).set('/b.js', 'text');
		const otherPaths = new Map([['/c.js', null as unknown as string]]).set('/d.js', '/b.js');
		await writeRecording(file, folder, ['1.0.5.journal'], { pauses: all, asyncStacks: all, otherPaths }, sources);
		const read = await readRecording(file);
		assert.deepEqual([read.pauses, read.asyncStacks], [[good], [good]]);
		assert.deepEqual(read.otherPaths, new Map([['/d.js', '/b.js']]));
		assert.deepEqual(read.sources, new Map([['/b.js', 'text']]));
	}));

/** One part as it is in a file, with the lengths of its head as given. */
function part(name: string, bytes: string | Buffer, said: { length?: number; nameLength?: number } = {}): Buffer {
	const content = Buffer.from(bytes);
	const head = Buffer.alloc(4 + Buffer.byteLength(name) + 8);
	head.writeUInt32LE(said.nameLength ?? Buffer.byteLength(name), 0);
	head.write(name, 4);
	head.writeDoubleLE(said.length ?? content.length, head.length - 8);
	return Buffer.concat([head, content]);
}

function parse(...parts: Buffer[]): Recording {
	return parseRecording(Buffer.concat([Buffer.from('WAITLIN1'), ...parts]), 'r.waitline');
}

const FIRST = part('1.0.5.journal', 'first');

test('a length of 0.5, below zero, or beyond all files is damage, and no RangeError', () => {
	for (const length of [0.5, 5.000000001, -1, -0.5, 1e300, 2 ** 31, Infinity, -Infinity, Number.NaN]) {
		const damaged = part('2.0.6.journal', 'second', { length });
		const { journals, unreadable } = parse(FIRST, damaged);
		assert.deepEqual([journals.length, unreadable], [1, damaged.length], String(length));
		assert.throws(() => parse(damaged), { name: 'Error', message: /^r\.waitline is damaged at its beginning/ });
	}
	for (const nameLength of [256, 2 ** 31, 2 ** 32 - 1]) {
		const damaged = part('2.0.6.journal', 'second', { nameLength });
		assert.equal(parse(FIRST, damaged).unreadable, damaged.length, String(nameLength));
	}
});

test('a damaged head of the sources or pauses does not hide the journals behind it', () => {
	const json = JSON.stringify({ '/a.js': 'a text that names 1.0.5.journal' });
	const second = part('2.0.6.journal', 'second');
	for (const said of [
		{ nameLength: 2 ** 31 },
		{ nameLength: 200 },
		{ nameLength: 3 },
		{ length: 0.5 },
		{ length: 1 },
		{ length: json.length + 3 },
		{ length: json.length + FIRST.length + 5 },
		{ length: 2 ** 29 },
	]) {
		for (const name of ['sources.json', 'pauses.json']) {
			const damaged = part(name, json, said);
			const { journals, unreadable } = parse(damaged, FIRST, second);
			const names = journals.map((each) => each.name);
			assert.deepEqual(names, ['1.0.5.journal', '2.0.6.journal'], JSON.stringify({ name, ...said }));
			assert.ok(unreadable > 0 && unreadable <= damaged.length, `${unreadable} bytes`);
		}
	}
});

test('a part that was cut off shows how much it lacks, and an incomplete head is reported as damage', () => {
	const { journals, unreadable } = parse(part('1.0.5.journal', 'first', { length: 50 }));
	assert.deepEqual([journals[0]?.missing, unreadable], [45, 0]);
	assert.equal(parse(FIRST, Buffer.from([1, 0])).unreadable, 2);
});

test('only names that a tracer gives are journals; what follows another part is read all the same', () => {
	const strange = [
		'../1.0.5.journal',
		'/etc/1.0.5.journal',
		'1.0.5\n.journal',
		'\u001b[2J1.0.5.journal',
		'-1.0.5.journal',
		'1e3.0.5.journal',
		'1.0.5.journal.journal',
		'.journal',
		'__proto__',
		'',
	];
	for (const name of strange) {
		const { journals, unreadable } = parse(part(name, 'strange'), FIRST);
		assert.deepEqual([journals.map((each) => each.name), unreadable], [['1.0.5.journal'], 7], JSON.stringify(name));
	}
});

test('a part that comes twice counts once', () => {
	const pauses = (to: number) => part('pauses.json', JSON.stringify([{ pid: 1, from: 1, to }]));
	const { journals, pauses: read, unreadable } = parse(pauses(2), pauses(9), FIRST, part('1.0.5.journal', 'again'));
	assert.deepEqual([journals.length, journals[0]?.bytes.toString(), read[0]?.to], [1, 'first', 2]);
	assert.equal(unreadable, 'again'.length + JSON.stringify([{ pid: 1, from: 1, to: 9 }]).length);
});

test('pauses are of whole processes and of possible times; others are left out and reported', () => {
	const strange = [
		{ pid: '1', from: 1, to: 2 },
		{ pid: 0.5, from: 1, to: 2 },
		{ pid: [1], from: 1, to: 2 },
		{ pid: 1, from: -1, to: 2 },
		{ pid: 1, from: 3, to: 2 },
		{ pid: 1, from: 1, to: 2 ** 54 },
		{ pid: 1, from: 1 },
		[],
		true,
	];
	const json = JSON.stringify([...strange, { pid: 1, from: 1, to: null }]);
	const { pauses, unreadable } = parse(part('pauses.json', json), FIRST);
	assert.deepEqual(pauses, [{ pid: 1, from: 1, to: Infinity }]);
	assert.equal(unreadable, json.length);
	assert.deepEqual(parse(part('pauses.json', '[{"__proto__":{"pid":1,"from":1,"to":2}}]'), FIRST).pauses, []);
});

test('sources are texts by path, whatever the paths are called', () => {
	const json = '{"__proto__":"a","constructor":"b","/c.js":"c"}';
	const { sources, unreadable } = parse(part('sources.json', json), FIRST);
	assert.deepEqual(
		[...sources],
		[
			['__proto__', 'a'],
			['constructor', 'b'],
			['/c.js', 'c'],
		],
	);
	assert.equal(unreadable, 0);
	for (const none of ['"text"', '["a","b"]', '5', 'null', '{"/a.js":', '']) {
		const read = parse(part('sources.json', none), FIRST);
		assert.deepEqual([read.sources.size, read.unreadable], [0, none.length], none);
	}
});

test('what a recording lacks is named in its report', async () => {
	const { warnings } = await reportSourceOf(parse(FIRST, part('2.0.6.journal', 'second', { length: 0.5 }))).report();
	const [{ code, message }] = warnings as [Warning, ...Warning[]];
	assert.equal(code, 'records-lost');
	assert.match(message, /^\d+ bytes of the recording could not be read\. The figures are incomplete\.$/);
});

test('only the beginning of an endless device is read', { skip: process.platform === 'win32' }, () =>
	assert.rejects(readRecording('/dev/zero'), /^Error: \/dev\/zero is not a Waitline recording/),
);
