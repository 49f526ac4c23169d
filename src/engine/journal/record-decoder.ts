// One record's bytes into the values of its fields, by the lists in `src/protocol/journal-records.ts`. A checksum
// proves only that the bytes are as they were written, not that a tracer wrote them. A number that no program can have
// is damage as well, so that all code behind this file may take every number for a possible time, count or id.
import { CHILD_KINDS, TEXT_BYTES } from '../../protocol/journal.ts';
import {
	BOOLEAN,
	CHILD_KIND,
	CLOCK,
	COUNT,
	DURATION,
	EARLY_TIME,
	FIELDS,
	type FieldValue,
	FLAGS,
	FRAME,
	FRAMES,
	type FrameFacts,
	INT,
	KIND_BITS,
	KIND_MASK,
	LAYOUTS,
	LINES,
	OP,
	PARENT,
	PERMILLE,
	POSITION,
	type RecordName,
	SITE,
	STAGE,
	STRING,
	SYSTEM_ID,
	TEXT,
	THREADS,
	TIME,
	UINT,
} from '../../protocol/journal-records.ts';

const utf8 = new TextDecoder();

/** Longest time or duration, in µs: nearly nine years, which is longer than programs run. */
export const MOST_US = 2 ** 48;
/** V8 counts lines and columns in 31 bits, and Node the milliseconds of a timer. */
export const MOST_INT = 2 ** 31 - 1;
/** A collection may have begun before its thread's journal did: by less than this, in µs. */
const LONGEST_COLLECTION_US = 60_000_000;
/** The most records written, dropped or left out whose sums stay exact: at a million a second it takes twelve days. */
export const MOST_COUNT = 2 ** 40;
/** Most threads of libuv's pool (MAX_THREADPOOL_SIZE). */
const MOST_POOL_THREADS = 1024;

/** The largest value of a kind that makes sense; kinds that are not plain numbers have none. */
const MOST: number[] = [];
for (const kind of [UINT, STRING, POSITION, SITE]) MOST[kind] = Number.MAX_SAFE_INTEGER;
MOST[DURATION] = MOST_US;
MOST[COUNT] = MOST_COUNT;
/** Ids of processes and threads have 32 bits on every system. */
MOST[SYSTEM_ID] = 2 ** 32 - 1;
MOST[INT] = MOST_INT;
/** Whatever a system's clock begins with, the sum of its value and a time is exact. */
MOST[CLOCK] = 2 ** 52;
/** The governor has four stages, and its cost may be a thousand times what the program takes. */
MOST[STAGE] = 255;
MOST[PERMILLE] = 1_000_000;
MOST[CHILD_KIND] = CHILD_KINDS.length - 1;

/** The sampler records fewer frames of a stack (tracer/stacks/frames.ts). */
const MOST_FRAMES = 64;
const MOST_RAN = 16;
const FRAME_LAYOUT = Object.entries(FRAME);

/** No record has more fields. */
const MOST_FIELDS = 16;

/** The value of a field that the record does not have. */
export const ABSENT = -1;

/** The index of each field of a record among its values. */
export function placesOf<Name extends RecordName>(name: Name): Record<keyof (typeof FIELDS)[Name], number> {
	const fields = Object.keys(FIELDS[name]) as (keyof (typeof FIELDS)[Name])[];
	return Object.fromEntries(fields.map((field, i) => [field, i])) as ReturnType<typeof placesOf<Name>>;
}

export class RecordDecoder {
	/**
	 * The fields of the record that `decode` read, in their order. A time or an id is whole here, not a difference; a
	 * field that the record does not have is ABSENT, except a missing parent, which is the operation itself.
	 */
	readonly values: FieldValue[] = new Array(MOST_FIELDS).fill(ABSENT);
	/** The latest time that was decoded, µs since the journal began. */
	latest = 0;
	/** Where the next record begins, and where the chunk's records end. */
	at = 0;
	end = 0;

	private bytes: Uint8Array = new Uint8Array(0);
	private lastTime = 0;
	private lastOp = 0;
	/** The flags of the record that is being decoded. */
	private flags = 0;

	/** Goes to the records of a chunk. */
	open(bytes: Uint8Array, at: number, end: number): void {
		this.bytes = bytes;
		this.at = at;
		this.end = end;
		this.lastTime = 0;
		this.lastOp = 0;
	}

	/** The same bytes were moved. @param back by how much, towards the beginning */
	moved(bytes: Uint8Array, back: number): void {
		this.bytes = bytes;
		this.at -= back;
		this.end -= back;
	}

	/** Tag of the next record; anything where there is none. */
	get tag(): number {
		return this.bytes[this.at] ?? 0;
	}

	/** Whether everything read of the record makes sense and lies in the chunk. */
	get isSound(): boolean {
		return this.at <= this.end;
	}

	/** Decodes the next record into `values`; false when it makes no sense, or runs over the chunk's end. */
	decode(): boolean {
		const layout = LAYOUTS[this.tag];
		this.at++;
		if (layout === undefined) return false;
		const { kinds } = layout;
		for (let i = 0; i < kinds.length; i++) this.values[i] = this.field(kinds[i]!);
		return this.isSound;
	}

	/** The earliest time, µs since the journal began, that the next record can have. */
	peek(): number {
		const { at, lastTime, lastOp, latest } = this;
		const kinds = LAYOUTS[this.tag]?.kinds ?? [];
		this.at++;
		for (const kind of kinds) {
			// Behind its flags no record has a time.
			if (kind > FLAGS) break;
			this.field(kind);
			if (kind === TIME) break;
		}
		const earliest = this.latest;
		this.at = at;
		this.lastTime = lastTime;
		this.lastOp = lastOp;
		this.latest = latest;
		return earliest;
	}

	private field(kind: number): FieldValue {
		// A field that needs no flag has none of these bits.
		const isThere = kind <= KIND_MASK || (this.flags & (kind >> KIND_BITS)) !== 0;
		switch (kind & KIND_MASK) {
			case OP:
				return this.op();
			case TIME:
				return this.time();
			case EARLY_TIME:
				return this.time(-LONGEST_COLLECTION_US);
			case FLAGS:
				this.flags = this.uint();
				return this.flags;
			case PARENT:
				return isThere ? this.parent() : this.lastOp;
			case TEXT:
				return this.text();
			case THREADS:
				return this.upTo(MOST_POOL_THREADS) || this.refuse();
			case BOOLEAN:
				return this.uint() === 1;
			case FRAMES:
				return this.list(MOST_FRAMES, () => this.frame());
			case LINES:
				return this.list(MOST_RAN, () => this.upTo(MOST_INT));
			default:
				return isThere ? this.upTo(MOST[kind & KIND_MASK]!) : ABSENT;
		}
	}

	/** What was read last makes no sense: nothing more of the chunk is read, and no field of this record counts. */
	private refuse(): 0 {
		this.at = this.end + 1;
		return 0;
	}

	/** A number of any kind. */
	uint(): number {
		const { bytes, end } = this;
		// Most are small.
		const first = this.at < end ? bytes[this.at]! : 0x80;
		if (first < 0x80) {
			this.at++;
			return first;
		}
		let value = 0;
		let scale = 1;
		while (this.at < end && scale <= Number.MAX_SAFE_INTEGER) {
			const byte = bytes[this.at++]!;
			value += (byte & 0x7f) * scale;
			if (byte < 0x80) return value <= Number.MAX_SAFE_INTEGER ? value : this.refuse();
			scale *= 128;
		}
		return this.refuse();
	}

	/** A number up to `most`. */
	upTo(most: number): number {
		const value = this.uint();
		return value <= most ? value : this.refuse();
	}

	/** An operation's id. */
	op(): number {
		this.lastOp += this.int();
		return Math.abs(this.lastOp) <= Number.MAX_SAFE_INTEGER ? this.lastOp : this.refuse();
	}

	/** The id of the parent of the operation that was read last. */
	parent(): number {
		return this.lastOp - this.int();
	}

	/** A time, µs since the journal began. @param earliest the earliest time that makes sense */
	time(earliest = 0): number {
		const time = this.lastTime + this.int();
		if (time < earliest || time > MOST_US) return this.refuse();
		this.lastTime = time;
		if (time > this.latest) this.latest = time;
		return time;
	}

	private frame(): FrameFacts {
		const fields = FRAME_LAYOUT.map(([name, kind]) => [name, this.field(kind)] as const);
		return Object.fromEntries(fields) as unknown as FrameFacts;
	}

	/** A list: its length, then each item. */
	private list<Item>(most: number, item: () => Item): Item[] {
		const items: Item[] = [];
		for (let left = this.upTo(most); left > 0 && this.isSound; left--) items.push(item());
		return items;
	}

	private int(): number {
		const value = this.uint();
		// Beyond 31 bits the operators of JavaScript would cut.
		if (value <= 0x7fffffff) return (value >>> 1) ^ -(value & 1);
		return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
	}

	private text(): string {
		const length = this.upTo(TEXT_BYTES);
		const from = this.at;
		this.at += length;
		return this.isSound ? utf8.decode(this.bytes.subarray(from, this.at)) : '';
	}
}
