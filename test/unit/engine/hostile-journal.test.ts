// Journals whose checksums are right and whose content no tracer would write: what makes no sense is damage, counted to
// the unit, and reaches no visitor. The mutations (test/mutations) try the same at random.
import assert from 'node:assert/strict';
import test from 'node:test';
import { JournalReader } from '../../../src/engine/journal/journal-reader.ts';
import type { JournalVisitor } from '../../../src/engine/journal/journal-visitor.ts';
import { CHUNK_HEADER_BYTES, checksum, MAGIC } from '../../../src/protocol/journal.ts';
import { TAG } from '../../../src/protocol/journal-records.ts';

type Field = number | string;

interface Head {
	generation?: number;
	index?: number;
	records?: number;
	before?: number;
	dropped?: number;
}

const THREAD: Field[] = [1, 4242, 1, 0, '24.0.0', '1.51.0', 'linux', '/app/main.js', 1000, 0, 1, 1, 0, 0, 0];

/** A negative number as the journal encodes it. */
function int(value: number): number {
	return value < 0 ? -2 * value - 1 : 2 * value;
}

function varint(value: number): number[] {
	const bytes: number[] = [];
	let rest = value;
	for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
	return [...bytes, rest];
}

function record(tag: number, ...fields: Field[]): Buffer {
	const bytes = fields.map((field) =>
		typeof field === 'number' ? varint(field) : [...varint(Buffer.byteLength(field)), ...Buffer.from(field)],
	);
	return Buffer.from([tag, ...bytes.flat()]);
}

/** A chunk whose checksum is right, whatever its head contains. */
function chunk(records: Buffer[], head: Head = {}): Buffer {
	const { generation = 0, index = 0, before = 0, dropped = 0 } = head;
	const payload = Buffer.concat(records);
	const bytes = Buffer.concat([Buffer.alloc(CHUNK_HEADER_BYTES), payload]);
	bytes.writeUInt32LE(MAGIC, 0);
	bytes.writeUInt32LE(generation, 4);
	bytes.writeUInt32LE(index, 8);
	bytes.writeUInt32LE(payload.length, 12);
	bytes.writeUInt32LE(head.records ?? records.length, 16);
	bytes.writeDoubleLE(before, 20);
	bytes.writeDoubleLE(dropped, 28);
	bytes.writeUInt32LE(checksum(bytes, CHUNK_HEADER_BYTES, bytes.length, checksum(bytes, 4, 36)), 36);
	return bytes;
}

const thread = record(TAG.thread, ...THREAD);
const sign = record(TAG.loopDelay, 1, 1);

function read(...chunks: Buffer[]): { reader: JournalReader; calls: string[] } {
	const calls: string[] = [];
	const visitor = new Proxy({} as JournalVisitor, {
		get:
			(_target, name) =>
			(...fields: unknown[]) =>
				calls.push(name === 'thread' ? 'thread' : `${String(name)} ${fields.join(' ')}`),
	});
	const reader = new JournalReader(visitor);
	reader.push(Buffer.concat(chunks));
	reader.finish();
	assert.equal(reader.emitted, reader.decoded + reader.dropped + reader.lost, 'the books balance');
	return { reader, calls };
}

const time = 2 ** 48 + 1;
const STRANGE: Record<string, Buffer> = {
	'a time below zero': record(TAG.begin, 0, int(-1), 0, 0),
	'a time of ten years': record(TAG.exit, int(time), 0),
	'a drain of ten years': record(TAG.end, 0, time, 0),
	'a block of 10^15 µs': record(TAG.tickBlock, 0, 1e15, 0),
	'a number above 53 bits': record(TAG.string, 2 ** 53, 'text'),
	'a number of a thousand bytes': Buffer.concat([
		Buffer.from([TAG.ancestor]),
		Buffer.alloc(1000, 0x80),
		Buffer.from([0]),
	]),
	'a pool of 2^50 threads': record(TAG.pool, 2 ** 50, 4),
	'a pool of none': record(TAG.pool, 0, 0),
	'a text longer than texts are': record(TAG.string, 1, 'x'.repeat(4097)),
	'a text longer than the chunk': record(TAG.string, 1, 4000),
	'a line that V8 cannot count': record(TAG.position, 1, 1, 2 ** 31, 1, 0),
	'a process id of 33 bits': record(TAG.ancestor, 2 ** 32),
	'a child of no kind': record(TAG.child, 0, 2, 7),
	'2^50 operations that were left out': record(TAG.unrecorded, 1, 1, 8, 2 ** 50),
	'a stage that there is not': record(TAG.stage, 0, 256, 1, 0),
	'a tag that there is not': record(99, 1),
	'the thread again in the midst of a generation': thread,
	'a collection from before the system': record(TAG.garbage, int(-(2 ** 40)), 1),
};

for (const [what, strange] of Object.entries(STRANGE)) {
	test(`${what} is damage: it and the rest of its chunk are lost`, () => {
		const { reader, calls } = read(
			chunk([thread, sign, strange, sign]),
			chunk([thread, sign], { generation: 1, before: 4 }),
		);
		assert.deepEqual(calls, ['thread', 'loopDelay 1 1', 'gap ', 'thread', 'loopDelay 1 1']);
		assert.deepEqual([reader.decoded, reader.lost], [4, 2]);
	});
}

test('a callback cannot end before it began', () => {
	const { calls } = read(chunk([thread, record(TAG.begin, 0, int(500), 0, 0), record(TAG.end, int(-1), 0, 0)]));
	assert.deepEqual(calls, ['thread', 'begin 0 500 0 0 0']);
});

test('records before the first `thread` record are lost', () => {
	const { reader, calls } = read(chunk([sign, thread]));
	assert.deepEqual([calls, reader.lost], [[], 2]);
});

test('a generation of another thread does not belong to this one', () => {
	const other = record(TAG.thread, ...THREAD.with(1, 4243));
	const { calls } = read(chunk([thread]), chunk([other, sign], { generation: 1, before: 1 }));
	assert.deepEqual(calls, ['thread']);
});

test('a chunk that comes twice is read once', () => {
	const [first, second] = [chunk([thread, sign]), chunk([sign], { index: 1, before: 2 })];
	const { reader, calls } = read(first, first, second, second, first);
	assert.deepEqual(calls, ['thread', 'loopDelay 1 1', 'loopDelay 1 1']);
	assert.deepEqual([reader.decoded, reader.lost], [3, 0]);
	assert.equal(reader.skippedBytes, 2 * first.length + second.length);
});

test('counters that no tracer reaches, or that are no counts, make a chunk damaged and the accounts stay finite', () => {
	for (const value of [0.5, -1, 2 ** 41, 1e300, Infinity, -Infinity, Number.NaN]) {
		for (const field of ['before', 'dropped'] as const) {
			const { reader } = read(chunk([thread, sign]), chunk([sign], { index: 1, before: 2, [field]: value }));
			// Where only the other counter makes no sense, the head still says how many records there were.
			const lost = field === 'dropped' ? 1 : 0;
			assert.deepEqual([reader.decoded, reader.lost, reader.dropped], [2, lost, 0], `${field} ${value}`);
			assert.ok(reader.skippedBytes > 0);
		}
	}
	const { reader } = read(chunk([thread, sign], { records: 2 ** 32 - 1 }));
	assert.deepEqual([reader.decoded, reader.lost], [0, 0]);
});

test('bytes behind a chunk’s last record are reported as damage', () => {
	const { reader } = read(chunk([thread, sign, sign], { records: 2 }));
	assert.deepEqual([reader.decoded, reader.skippedBytes], [2, sign.length]);
});

test('the duration of a callback whose begin was lost is unknown', () => {
	const begin = record(TAG.begin, 0, int(1000), 0, 0);
	const { calls } = read(
		chunk([thread, begin]),
		// The chunk between them is lost.
		chunk([thread, record(TAG.end, int(9_000_000), 0, 0)], { generation: 1, before: 50 }),
	);
	assert.deepEqual(calls, ['thread', 'begin 0 1000 0 0 0', 'gap ', 'thread', 'end 9000000 0 0']);
});
