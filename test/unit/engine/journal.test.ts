// What the tracer's writer writes, the engine's reader reads: in any pieces, and after any damage with accounts that
// balance.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { JournalReader } from '../../../src/engine/journal/journal-reader.ts';
import type { JournalVisitor } from '../../../src/engine/journal/journal-visitor.ts';
import { SessionModel } from '../../../src/engine/session-model.ts';
import { CHUNK_HEADER_BYTES, LEASE_FILE, TEXT_BYTES } from '../../../src/protocol/journal.ts';
import { BEGIN_FLAG, TAG } from '../../../src/protocol/journal-records.ts';
import { hasReader } from '../../../tracer/journal/lease.ts';
import { JournalWriter } from '../../../tracer/journal/writer.ts';
import { writeThread } from '../../support/thread-record.ts';

/** A visitor that writes down every call. */
function listing(): { lines: string[]; visitor: JournalVisitor } {
	const lines: string[] = [];
	const visitor = new Proxy({} as JournalVisitor, {
		get:
			(_target, name) =>
			(...fields: unknown[]) =>
				lines.push(`${String(name)} ${JSON.stringify(fields)}`),
	});
	return { lines, visitor };
}

function inFolder<T>(use: (folder: string) => T): T {
	const folder = mkdtempSync(path.join(os.tmpdir(), 'waitline-journal-'));
	try {
		writeFileSync(path.join(folder, LEASE_FILE), '');
		return use(folder);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function openWriter(folder: string): JournalWriter {
	return new JournalWriter(path.join(folder, 'j'), () => hasReader(path.join(folder, LEASE_FILE)), writeThread);
}

/** A journal of three generations with every kind of record and numbers of every size. */
function sample(): Buffer {
	return inFolder((folder) => {
		const writer = openWriter(folder);
		for (let generation = 0; generation < 3; generation++) {
			const base = generation * 2_000_000;
			const script = writer.string('/app/ünïcödé 文.js');
			const type = writer.string('FSREQCALLBACK');
			writer.record(TAG.position);
			for (const field of [1, script, 7, 13, 0]) writer.uint(field);
			writer.record(TAG.site);
			for (const field of [1, 1, 0, type, script]) writer.uint(field);
			for (const [i, op] of [1, 127, 128, 2 ** 31, 2 ** 40, -5].entries()) {
				writer.record(TAG.start);
				writer.op(op);
				writer.uint(0);
				writer.time(base + i * 1000.7);
				writer.uint(type);
				writer.uint(1);
				writer.record(TAG.begin);
				writer.op(op);
				writer.time(base + i * 1000 + 900);
				writer.uint(op === 127 ? BEGIN_FLAG.cpuWait : 0);
				writer.uint(800);
				if (op === 127) writer.uint(300);
				writer.record(TAG.end);
				writer.time(base + i * 1000 + 950);
				writer.uint(3);
				writer.uint(1);
			}
			writer.record(TAG.pool);
			writer.uint(4);
			writer.uint(8);
			writer.record(TAG.ancestor);
			writer.uint(4_194_304);
			writer.record(TAG.child);
			writer.op(128);
			writer.uint(1);
			writer.uint(3);
			writer.flush(base + 2_000_000);
		}
		writer.record(TAG.exit);
		writer.time(6_000_000);
		writer.uint(5_000_000);
		writer.flush(null);
		return readFileSync(path.join(folder, 'j'));
	});
}

function read(bytes: Uint8Array, piece: number): { reader: JournalReader; lines: string[] } {
	const { lines, visitor } = listing();
	const reader = new JournalReader(visitor);
	for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
	reader.finish();
	return { reader, lines };
}

test('a text has the bytes that Buffer gives it, half surrogate pairs too', () => {
	inFolder((folder) => {
		// Either side of each length that a character may have, each next to each.
		const codes = [
			0x00, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff, 0x10000, 0x10ffff,
		];
		const texts = codes.flatMap((a) => codes.map((b) => `${String.fromCodePoint(a)}${String.fromCodePoint(b)}.`));
		const writer = openWriter(folder);
		for (const text of texts) writer.string(text);
		writer.flush(null);
		const journal = readFileSync(path.join(folder, 'j'));
		for (const text of texts) assert.ok(journal.includes(Buffer.from(text)), JSON.stringify(text));
	});
});

test('a text that is cut within a character damages no chunk', () => {
	for (const character of ['a', 'é', '文', '😀', '\ud83d']) {
		for (const before of ['', 'x', 'xx', 'xxx']) {
			const text = before + character.repeat(5000);
			const bytes = inFolder((folder) => {
				const writer = openWriter(folder);
				writer.string(text);
				writer.string('behind it');
				writer.flush(null);
				return readFileSync(path.join(folder, 'j'));
			});
			const { reader, lines } = read(bytes, bytes.length);
			assert.deepEqual([reader.lost, reader.decoded], [0, reader.emitted]);
			const [long, short] = lines.filter((line) => line.startsWith('string '));
			assert.equal(short, 'string [2,"behind it"]');
			const [, written] = JSON.parse(long!.slice('string '.length)) as [number, string];
			assert.ok(Buffer.from(text).toString().startsWith(written), `${before}${character}`);
			assert.ok(Buffer.byteLength(written) > TEXT_BYTES - 4, `${Buffer.byteLength(written)} bytes`);
		}
	}
});

test('a reason to stop is written whole, however full the buffer is', () => {
	const reason = '文'.repeat(100);
	// Records of three bytes each: nearly as many as the buffer of 64 KiB takes, and some more.
	for (let records = 21_600; records < 21_850; records += 5) {
		const bytes = inFolder((folder) => {
			const writer = openWriter(folder);
			for (let n = 0; n < records; n++) {
				writer.record(TAG.pool);
				writer.uint(4);
				writer.uint(8);
			}
			writer.stop(reason);
			return readFileSync(path.join(folder, 'j'));
		});
		const { reader, lines } = read(bytes, bytes.length);
		assert.deepEqual([reader.lost, reader.decoded], [0, reader.emitted], `${records} records`);
		assert.equal(lines.at(-1), `stop ${JSON.stringify([reason])}`);
	}
});

test('the same records come out in pieces of every size', () => {
	const bytes = sample();
	const whole = read(bytes, bytes.length);
	assert.equal(whole.reader.decoded, whole.lines.length);
	assert.equal(whole.reader.decoded, whole.reader.emitted);
	assert.equal(whole.reader.lost, 0);
	assert.ok(
		whole.lines.includes('start [1099511627776,0,4002,2,1,1099511627776,-1]'),
		whole.lines.slice(0, 20).join('\n'),
	);
	assert.ok(whole.lines.includes('begin [127,1900,4,800,300]'));
	assert.ok(whole.lines.includes('begin [128,2900,0,800,0]'));
	assert.ok(whole.lines.includes('string [1,"/app/ünïcödé 文.js"]'));
	for (const piece of [1, 2, 3, 7, 39, 40, 41, 100, 1000]) assert.deepEqual(read(bytes, piece).lines, whole.lines);
});

test('every single damaged byte is noticed, costs at most the rest of its generation, and the accounts balance', () => {
	const bytes = sample();
	const { decoded: all } = read(bytes, bytes.length).reader;
	const lastHead = bytes.lastIndexOf(bytes.subarray(0, 4));
	for (let at = 0; at < bytes.length; at++) {
		const damaged = Buffer.from(bytes);
		damaged[at]! ^= 0x55;
		const { reader } = read(damaged, 64);
		assert.equal(reader.emitted, reader.decoded + reader.dropped + reader.lost, `byte ${at}`);
		assert.ok(reader.decoded < all, `byte ${at}: the damage went unnoticed`);
		// Only where the last chunk has lost its head, nothing is left that shows how many records there were.
		if (at < lastHead || at >= lastHead + CHUNK_HEADER_BYTES) assert.equal(reader.emitted, all, `byte ${at}`);
		assert.ok(reader.decoded >= Math.floor(all / 2), `byte ${at}: ${reader.decoded} of ${all} records left`);
	}
});

test('cut off at every byte, the accounts balance', () => {
	const bytes = sample();
	for (let length = 0; length < bytes.length; length++) {
		const { reader } = read(bytes.subarray(0, length), 50);
		assert.equal(reader.emitted, reader.decoded + reader.dropped + reader.lost, `length ${length}`);
	}
});

test('bytes of anything else are not a journal and do no harm', () => {
	let state = 12345;
	for (let round = 0; round < 50; round++) {
		const noise = new Uint8Array(2000);
		for (let i = 0; i < noise.length; i++) {
			state = (Math.imul(state, 1103515245) + 12345) >>> 0;
			noise[i] = state >>> 24;
		}
		// Looks like a chunk at first, and like any payload after it.
		if (round % 2 === 0) noise.set(sample().subarray(0, 60), 0);
		const model = new SessionModel();
		model.push('1.0.0.journal', noise);
		model.finish('1.0.0.journal', true);
		const { accounting, lines } = model.report(() => null);
		assert.equal(accounting.emitted, accounting.decoded + accounting.dropped + accounting.lost);
		assert.deepEqual(lines, []);
	}
});

test('a writer whose host is gone stops, says so in its last record, and writes nothing more', () => {
	inFolder((folder) => {
		const writer = openWriter(folder);
		const longAgo = new Date(Date.now() - 60_000);
		utimesSync(path.join(folder, LEASE_FILE), longAgo, longAgo);
		writer.flush(2_000_000);
		assert.equal(writer.stopped, 'lease');
		const bytes = readFileSync(path.join(folder, 'j'));
		writer.record(TAG.exit);
		writer.flush(3_000_000);
		assert.deepEqual(readFileSync(path.join(folder, 'j')), bytes);
		assert.equal(read(bytes, 1000).lines.at(-1), 'stop ["lease"]');
		assert.deepEqual(readdirSync(folder).sort(), ['j', LEASE_FILE]);
	});
});

test('a record whose numbers are written at once has the bytes of one written number by number', () => {
	const numbers = [0, 1, 127, 128, 16_383.9, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1];
	const written = (write: (writer: JournalWriter) => void) =>
		inFolder((folder) => {
			const writer = openWriter(folder);
			writer.record(TAG.start);
			write(writer);
			writer.op(-3);
			writer.flush(1);
			return readFileSync(path.join(folder, 'j'));
		});
	const atOnce = written((writer) => {
		writer.numbers.set([writer.timeFrom(-7.5), writer.opFrom(2 ** 40), ...numbers.slice(0, 6)]);
		writer.writeNumbers(8);
		writer.numbers.set(numbers.slice(6));
		writer.writeNumbers(2);
	});
	const oneByOne = written((writer) => {
		writer.time(-7.5);
		writer.op(2 ** 40);
		for (const number of numbers) writer.uint(number);
	});
	assert.deepEqual(atOnce, oneByOne);
});

test('a journal that is pulled gives the same records, and each piece is taken once those before it are read', () => {
	const bytes = inFolder((folder) => {
		const writer = openWriter(folder);
		for (let op = 1; op <= 5000; op++) {
			writer.record(TAG.start);
			for (const field of [op, 0, op * 10, 0, 0]) writer.uint(field);
			if (op % 50 === 0) writer.flush(op * 10);
		}
		writer.flush(null);
		return readFileSync(path.join(folder, 'j'));
	});
	const pushed = listing();
	const whole = new JournalReader(pushed.visitor);
	whole.push(bytes);
	whole.finish();

	const pulled = listing();
	const reader = new JournalReader(pulled.visitor);
	const read: number[] = [];
	function* pieces(): Generator<Uint8Array> {
		for (let at = 0; at < bytes.length; at += 4096) {
			read.push(reader.decoded);
			yield bytes.subarray(at, at + 4096);
		}
	}
	reader.pull(pieces());
	reader.finish();
	assert.deepEqual(pulled.lines, pushed.lines);
	assert.deepEqual([reader.decoded, reader.lost, reader.skippedBytes], [whole.decoded, 0, 0]);
	assert.ok(read.length > 5, `${read.length} pieces`);
	for (const [piece, decoded] of read.entries()) assert.ok(piece === 0 || decoded > read[piece - 1]!, read.join(' '));
});
