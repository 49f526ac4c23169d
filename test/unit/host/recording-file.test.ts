// Recordings as files: what was written is read, damage is reported in one sentence.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import type { Kill } from '../../../src/engine/threads/kill.ts';
import {
	NotARecording,
	parseRecording,
	type Recording,
	readRecording,
} from '../../../src/host/recordings/recording-file.ts';
import { bytesOfPart, type RecordingPart } from '../../../src/host/recordings/recording-part.ts';
import { NO_NOTES } from '../../../src/host/recordings/session-notes.ts';
import { writeRecording } from '../../../src/host/recordings/write-recording.ts';
import { reportSourceOf } from '../../../src/host/sessions/report-source.ts';
import type { Warning } from '../../../src/protocol/report.ts';
import { BLOCK_BYTES, blockOf, MAGIC, PACKED_SIGNATURE, pack, packedContents } from '../../support/packed-blocks.ts';

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
		const kills = new Map([
			[7, 'SIGTERM'],
			[8, 'stop'],
		] as const);
		const notes = { pauses, asyncStacks, otherPaths, cores: 3, kills };
		await writeRecording(file, folder, Object.keys(journals), notes, sources, null);
		const recording = await readRecording(file);
		assert.deepEqual(recording.pauses, pauses);
		assert.deepEqual(recording.asyncStacks, asyncStacks);
		assert.deepEqual(recording.otherPaths, otherPaths);
		assert.equal(recording.cores, 3);
		assert.deepEqual(recording.kills, kills);
		assert.deepEqual(recording.sources, sources);
		assert.deepEqual(
			Object.fromEntries(recording.journals.map((part) => [part.name, bytesOfPart(part).toString()])),
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
		const kills = new Map([[7, 'SIGTERM']]).set(-1, 'stop').set(8, 'SIG\u001b[31m') as Map<number, Kill>;
		await writeRecording(
			file,
			folder,
			['1.0.5.journal'],
			{ pauses: all, asyncStacks: all, otherPaths, cores: 0, kills },
			sources,
			null,
		);
		const read = await readRecording(file);
		assert.deepEqual([read.pauses, read.asyncStacks], [[good], [good]]);
		assert.deepEqual(read.kills, new Map([[7, 'SIGTERM']]));
		assert.deepEqual(read.otherPaths, new Map([['/d.js', '/b.js']]));
		assert.deepEqual(read.sources, new Map([['/b.js', 'text']]));
	}));

/** One part as it is in a file of version 1, with the lengths of its head as given. */
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
	assert.deepEqual([journals.length, bytesOfPart(journals[0]!).toString(), read[0]?.to], [1, 'first', 2]);
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

/** Texts of several blocks that pack like a journal: numbers, which are not repeated exactly. */
function longText(name: string, blocks: number): string {
	return Array.from({ length: (blocks * BLOCK_BYTES) / 16 }, (_, i) => `${name}${i * 7919}`.padEnd(16)).join('');
}

/** A recording of two journals of several blocks each, as the product writes it. */
async function longRecording(folder: string): Promise<{ file: string; first: string; second: string }> {
	const [first, second] = [longText('a', 2.5), longText('b', 3)];
	await writeFile(path.join(folder, '1.0.5.journal'), first);
	await writeFile(path.join(folder, '2.0.6.journal'), second);
	const file = path.join(folder, 'long.waitline');
	await writeRecording(file, folder, ['1.0.5.journal', '2.0.6.journal'], NO_NOTES, new Map([['/a.js', 'a()']]), null);
	return { file, first, second };
}

function contentsOf({ journals }: Recording): string[] {
	return journals.map((part) => bytesOfPart(part).toString());
}

test('a recording is packed, and longer journals come out as they went in', () =>
	inFolder(async (folder) => {
		const { file, first, second } = await longRecording(folder);
		const { size } = await stat(file);
		assert.ok(size < (first.length + second.length) / 2, `${size} bytes`);
		const recording = await readRecording(file);
		assert.deepEqual(contentsOf(recording), [first, second]);
		assert.deepEqual(contentsOf(recording), [first, second], 'a second time');
		assert.deepEqual(recording.journals.map(lossOf), [
			[0, 0],
			[0, 0],
		]);
		assert.equal(recording.unreadable, 0);
	}));

function lossOf({ missing, unreadable }: RecordingPart): [number, number] {
	return [missing, unreadable];
}

test('of a packed recording that was cut off only what is behind the cut is lost', () =>
	inFolder(async (folder) => {
		const { file, first, second } = await longRecording(folder);
		const whole = await readFile(file);
		let before = 0;
		for (let share = 0.05; share < 1; share += 0.01) {
			const recording = parseRecording(whole.subarray(0, Math.floor(whole.length * share)), 'cut.waitline');
			const [one = '', two = ''] = contentsOf(recording);
			assert.ok(first.startsWith(one) && second.startsWith(two), `at ${share}`);
			assert.ok(two === '' || one === first, `at ${share}`);
			const [of1, of2] = recording.journals as [RecordingPart, RecordingPart?];
			assert.deepEqual(lossOf(of1), [first.length - one.length, 0], `at ${share}`);
			if (of2 !== undefined) assert.deepEqual(lossOf(of2), [second.length - two.length, 0], `at ${share}`);
			// Within a block too, most of what is there is read: both texts pack evenly.
			const read = one.length + two.length;
			assert.ok(read >= before, `at ${share}`);
			assert.ok(Math.abs(read / (first.length + second.length) - share) < 0.05, `${read} bytes at ${share}`);
			before = read;
		}
	}));

test('a damaged block costs no other one', () =>
	inFolder(async (folder) => {
		const { file, first, second } = await longRecording(folder);
		const whole = await readFile(file);
		const at = 1 + whole.indexOf(MAGIC, whole.indexOf(MAGIC, whole.indexOf(MAGIC) + 1) + 1);
		const cases: [string, number, (bytes: Buffer) => unknown][] = [
			['magic', 0, (bytes) => bytes.writeUInt8(0, at)],
			['name', 0, (bytes) => bytes.writeUInt32LE(2 ** 31, at + 3)],
			['left', 0, (bytes) => bytes.writeDoubleLE(0.5, at + 11)],
			['packed bytes', BLOCK_BYTES, (bytes) => bytes.fill(0xff, at + 40, at + 60)],
		];
		for (const [what, unreadable, damage] of cases) {
			const bytes = Buffer.from(whole);
			damage(bytes);
			const recording = parseRecording(bytes, 'damaged.waitline');
			const [one, two] = contentsOf(recording);
			assert.equal(one, first.slice(0, BLOCK_BYTES) + first.slice(2 * BLOCK_BYTES), what);
			assert.equal(two, second, what);
			assert.equal(recording.journals[0]!.unreadable, unreadable, what);
			assert.ok(unreadable > 0 || recording.unreadable > 0, what);
			assert.equal(recording.sources.size, 1, what);
		}
		// Where the packed bytes end is known without their length.
		for (const length of [0, 5, 2 ** 20, 2 ** 31]) {
			const bytes = Buffer.from(whole);
			bytes.writeUInt32LE(length, at + 7);
			assert.deepEqual(contentsOf(parseRecording(bytes, 'damaged.waitline')), [first, second], String(length));
		}
	}));

function parsePacked(...blocks: Buffer[]): Recording {
	return parseRecording(Buffer.concat([PACKED_SIGNATURE, ...blocks]), 'p.waitline');
}

test('a file that would fill memory when unpacked is refused before anything is unpacked', () => {
	const [packed] = packedContents(Buffer.alloc(BLOCK_BYTES)) as [Buffer];
	const blocks = 4096;
	const bomb = Array.from({ length: blocks }, (_, i) => blockOf('1.0.5.journal', packed, (blocks - i) * BLOCK_BYTES));
	assert.throws(() => parsePacked(...bomb), {
		reason: 'oversized',
		message: /^p\.waitline is not read: it claims to unpack to \d+ times its size\.$/,
	});
	const many = Array.from({ length: blocks }, (_, i) => blockOf(`${i}.0.5.journal`, packed, BLOCK_BYTES));
	assert.throws(() => parsePacked(...many), { reason: 'oversized' });
});

test('a block that unpacks to more than its head says, or to less, is damaged, and takes no more memory', () => {
	const long = pack(Buffer.alloc(2 ** 28));
	const good = blockOf('2.0.6.journal', pack(Buffer.from('good')), 4);
	for (const [packed, left] of [
		[long, 5],
		[long, BLOCK_BYTES],
		[pack(Buffer.from('short')), 6],
		[pack(Buffer.from('a window that takes 16 MiB'), 24), 20],
		[Buffer.from('no brotli at all, but plain text'), 20],
		[Buffer.alloc(0), 20],
	] as const) {
		const recording = parsePacked(blockOf('1.0.5.journal', packed, left), good);
		const [one, two] = contentsOf(recording);
		assert.ok(one!.length < left && two === 'good');
		assert.deepEqual(lossOf(recording.journals[0]!), [0, left - one!.length]);
	}
});

test('blocks that come again, and parts of other names, count as unreadable', () => {
	const first = blockOf('1.0.5.journal', pack(Buffer.from('first')), 5);
	const empty = blockOf('3.0.7.journal', pack(Buffer.alloc(0)), 0);
	const strange = blockOf('../1.0.5.journal', pack(Buffer.from('strange')), 7);
	const recording = parsePacked(first, empty, first, strange, empty);
	assert.deepEqual(contentsOf(recording), ['first', '']);
	assert.equal(recording.unreadable, first.length + empty.length + 'strange'.length);
});

test('a recording of version 0.1.0 gives the same report when it is packed', () =>
	inFolder(async (folder) => {
		const old = await readRecording(path.join(import.meta.dirname, '..', 'recordings', 'version-0.1.0.waitline'));
		for (const part of old.journals) await writeFile(path.join(folder, part.name), bytesOfPart(part));
		const file = path.join(folder, 'new.waitline');
		const names = old.journals.map(({ name }) => name);
		await writeRecording(file, folder, names, old, old.sources, null);
		const fresh = await readRecording(file);
		assert.deepEqual(contentsOf(fresh), contentsOf(old));
		assert.deepEqual(fresh.sources, old.sources);
		const reports = await Promise.all([old, fresh].map((each) => reportSourceOf(each).report()));
		assert.ok(reports[0]!.lines.length > 0);
		assert.deepEqual(reports[1], reports[0]);
	}));
