// The lists of fields in src/protocol/journal-records.ts: records made up by an encoder of this test's own come out of the engine with the same
// fields, also those whose lists the engine has written out for speed.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { JournalVisitor } from '../../../src/engine/journal/journal-visitor.ts';
import { ABSENT, RecordDecoder } from '../../../src/engine/journal/record-decoder.ts';
import { RecordReader } from '../../../src/engine/journal/record-reader.ts';
import { CHILD_KINDS, PROMISE_HOOKS } from '../../../src/protocol/journal.ts';
import * as kinds from '../../../src/protocol/journal-records.ts';
import {
	type FieldValue,
	type FrameFacts,
	LAYOUTS,
	type RecordName,
	TAG,
} from '../../../src/protocol/journal-records.ts';
import { random } from '../../support/random.ts';

const NAMES = Object.keys(TAG) as RecordName[];
const ROUNDS = 200;

/** A made-up record: its bytes and what they mean. */
interface MadeUp {
	bytes: number[];
	values: FieldValue[];
}

/** Makes records of one chunk, whose ids and times are differences. */
class Maker {
	private readonly draw: () => number;
	private op = 0;
	private time = 0;

	constructor(seed: number) {
		this.draw = random(seed);
	}

	upTo(most: number): number {
		return Math.floor(this.draw() * (this.draw() < 0.5 ? Math.min(most, 200) : most));
	}

	record(name: RecordName): MadeUp {
		const made: MadeUp = { bytes: [TAG[name]], values: [] };
		let flags = 0;
		for (const kind of LAYOUTS[TAG[name]]!.kinds) {
			const needs = kind >> kinds.KIND_BITS;
			const isThere = needs === 0 || (flags & needs) !== 0;
			const value = this.field(kind & kinds.KIND_MASK, isThere, made.bytes);
			if (kind === kinds.FLAGS) flags = value as number;
			made.values.push(value);
		}
		return made;
	}

	private field(kind: number, isThere: boolean, bytes: number[]): FieldValue {
		if (!isThere) return kind === kinds.PARENT ? this.op : ABSENT;
		switch (kind) {
			case kinds.OP: {
				const id = this.upTo(2 ** 40) - 100;
				bytes.push(...signed(id - this.op));
				this.op = id;
				return id;
			}
			case kinds.TIME:
			case kinds.EARLY_TIME: {
				// Ends and waits must not be before their begin.
				const time = this.time + this.upTo(2 ** 33);
				bytes.push(...signed(time - this.time));
				this.time = time;
				return time;
			}
			case kinds.PARENT: {
				const parent = this.op - this.upTo(2 ** 40) + 50;
				bytes.push(...signed(this.op - parent));
				return parent;
			}
			case kinds.TEXT: {
				const text = 'ü'.repeat(this.upTo(300));
				bytes.push(...varint(Buffer.byteLength(text)), ...Buffer.from(text));
				return text;
			}
			case kinds.BOOLEAN: {
				const value = this.draw() < 0.5;
				bytes.push(value ? 1 : 0);
				return value;
			}
			case kinds.FRAMES: {
				const frames = Array.from({ length: this.upTo(5) }, () => this.frame());
				bytes.push(...varint(frames.length), ...frames.flatMap(frameBytes));
				return frames;
			}
			default: {
				const most: Partial<Record<number, number>> = {
					[kinds.FLAGS]: 16,
					[kinds.CHILD_KIND]: CHILD_KINDS.length,
					[kinds.STAGE]: 4,
				};
				const value = kind === kinds.THREADS ? 1 + this.upTo(1000) : this.upTo(most[kind] ?? 1_000_000);
				bytes.push(...varint(value));
				return value;
			}
		}
	}

	private frame(): FrameFacts {
		const lines = Array.from({ length: this.upTo(4) }, () => this.upTo(2 ** 31));
		const [script, name, line, column] = [this.upTo(900), this.upTo(900), this.upTo(2 ** 31), this.upTo(2 ** 31)];
		return { script, name, line, column, isLibrary: this.draw() < 0.5, lines };
	}
}

function frameBytes({ script, name, line, column, isLibrary, lines }: FrameFacts): number[] {
	return [script, name, line, column, isLibrary ? 1 : 0, lines.length, ...lines].flatMap(varint);
}

function varint(value: number): number[] {
	const bytes: number[] = [];
	let rest = value;
	for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
	return [...bytes, rest];
}

function signed(value: number): number[] {
	return varint(value < 0 ? -2 * value - 1 : 2 * value);
}

/** A visitor that lists all calls of its methods. */
function listener(): { calls: unknown[][]; visitor: JournalVisitor } {
	const calls: unknown[][] = [];
	const visitor = new Proxy({} as JournalVisitor, {
		get:
			(_target, name) =>
			(...fields: unknown[]) =>
				calls.push([name, ...fields]),
	});
	return { calls, visitor };
}

/** The call of a visitor's method for a record with these fields. */
function asCalled(name: RecordName, values: FieldValue[]): unknown[] {
	const { fields } = LAYOUTS[TAG[name]]!;
	const record: Record<string, unknown> = Object.fromEntries(fields.map((field, i) => [field, values[i]]));
	if (name === 'begin' && record.cpuWait === ABSENT) record.cpuWait = 0;
	if (name === 'child') record.kind = CHILD_KINDS[record.kind as number];
	if (name !== 'thread') return [name, ...Object.values(record)];
	const promiseHooks = PROMISE_HOOKS[record.promiseHooks as number] ?? 'on';
	return [name, { ...record, promiseHooks, ioUring: [null, false, true][record.ioUring as number] ?? null }];
}

for (const name of NAMES) {
	test(`a '${name}' comes out as it was written, by its list and for a visitor`, () => {
		for (let seed = 0; seed < ROUNDS; seed++) {
			const { bytes, values } = new Maker(seed).record(name);
			const decoder = new RecordDecoder();
			decoder.open(Uint8Array.from(bytes), 0, bytes.length);
			assert.ok(decoder.decode(), `seed ${seed}`);
			assert.deepEqual(decoder.values.slice(0, values.length), values, `seed ${seed}`);
			assert.equal(decoder.at, bytes.length);

			const { calls, visitor } = listener();
			decoder.open(Uint8Array.from(bytes), 0, bytes.length);
			assert.ok(new RecordReader(decoder, visitor).read());
			assert.deepEqual(calls, [asCalled(name, values)], `seed ${seed}`);
			assert.equal(decoder.at, bytes.length);
		}
	});

	test(`a '${name}' that is cut off is no record`, () => {
		const { bytes } = new Maker(7).record(name);
		for (let length = 1; length < bytes.length; length++) {
			const { calls, visitor } = listener();
			const decoder = new RecordDecoder();
			decoder.open(Uint8Array.from(bytes), 0, length);
			assert.equal(decoder.decode(), false, `${length} of ${bytes.length} bytes`);
			decoder.open(Uint8Array.from(bytes), 0, length);
			assert.equal(new RecordReader(decoder, visitor).read(), false);
			assert.deepEqual(calls, []);
		}
	});
}

test('peeking at the next record moves nothing, and finds its time', () => {
	for (const name of NAMES) {
		const { bytes, values } = new Maker(3).record(name);
		const decoder = new RecordDecoder();
		decoder.open(Uint8Array.from(bytes), 0, bytes.length);
		const earliest = decoder.peek();
		const time = LAYOUTS[TAG[name]]!.kinds.indexOf(kinds.TIME);
		if (time >= 0) assert.equal(earliest, values[time], name);
		assert.ok(decoder.decode());
		assert.deepEqual(decoder.values.slice(0, values.length), values, name);
	}
});
