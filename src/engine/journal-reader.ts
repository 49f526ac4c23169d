// Reads a journal's bytes, in whatever pieces they come, and calls a visitor for each record. Never throws: damaged bytes are
// skipped up to the next generation, and what was missed is counted from the writer's own counters. A checksum proves no more than that the
// bytes are as somebody wrote them, and that need not have been a tracer: a number that no program can have is damage as well, so that what
// comes after this file can take every number for a time, a count or an id that there may be.
import {
	BEGIN_FLAG,
	CHILD_KINDS,
	CHUNK_HEADER_BYTES,
	checksum,
	MAGIC,
	PAYLOAD_BYTES,
	PROMISE_HOOKS,
	START_FLAG,
	TAG,
	TEXT_BYTES,
} from '../protocol/journal.ts';

/** The `thread` record. */
export interface ThreadFacts {
	version: number;
	pid: number;
	parentPid: number;
	threadId: number;
	node: string;
	libuv: string;
	platform: string;
	/** The program's entry script, or an empty string. */
	entry: string;
	/** hrtime at the journal's begin, in µs. */
	beganUs: number;
	/** Wall clock then, in ms since 1970. */
	wallMs: number;
	promiseHooks: (typeof PROMISE_HOOKS)[number];
	ioUring: boolean | null;
	/** The system's id for the thread; 0 where it is not known. */
	tid: number;
	/** Whether the program ran before it was traced. */
	isLate: boolean;
	/** Whether garbage collections are told. */
	seesGarbage: boolean;
}

/** Receives the records, in the order of the journal. Times are µs since its begin, durations µs. */
export interface JournalVisitor {
	/** Records that came here are lost, and with them perhaps the begin of the callback whose end comes next. */
	gap(): void;
	/** A generation begins: the tables of the last one are void. */
	thread(facts: ThreadFacts): void;
	string(id: number, text: string): void;
	position(id: number, script: number, line: number, column: number, functionName: number): void;
	site(id: number, user: number, library: number, apiName: number, apiScript: number): void;
	/** @param parent id of the parent operation, or the operation's own id; @param delay ms, or -1 */
	start(op: number, flags: number, time: number, type: number, site: number, parent: number, delay: number): void;
	/** @param cpuWait how much of the time since the last callback the thread may have been ready to run */
	begin(op: number, time: number, flags: number, idle: number, cpuWait: number): void;
	end(after: number, drain: number, hint: number): void;
	attribute(op: number): void;
	nested(op: number, time: number, duration: number): void;
	pool(effective: number, wanted: number): void;
	/** A garbage collection. */
	garbage(time: number, duration: number): void;
	/** Something that was ready had to wait so long for the loop. @param standsFor how long nobody had looked */
	late(lateness: number, standsFor: number): void;
	/** @param every one of so many operations per line is recorded from now on; @param permille the tracer's share of the time before */
	stage(time: number, stage: number, every: number, permille: number): void;
	/** Operations that called back and were not recorded, where one of `every` was. */
	unrecorded(site: number, type: number, every: number, count: number): void;
	/** A tick or microtask of a line held the loop in the drain of the running callback. */
	held(time: number, duration: number, site: number): void;
	/** A stack that samples of the block that is just over refer to. @param frames innermost first; numbers of strings are the generation's */
	stack(id: number, api: number, frames: readonly FrameFacts[]): void;
	/** The thread was found with that stack. */
	sampled(time: number, duration: number, stack: number, isCollection: boolean): void;
	stop(reason: string): void;
	exit(time: number, idle: number): void;
	ancestor(pid: number): void;
	/** @param id process or thread id */
	child(op: number, kind: (typeof CHILD_KINDS)[number], id: number): void;
}

/** A function on a sampled stack; lines and columns are 1-based. */
export interface FrameFacts {
	/** Numbers of strings. */
	script: number;
	name: number;
	/** Where it begins. */
	line: number;
	column: number;
	isLibrary: boolean;
	/** Lines that ran, the likeliest first. */
	lines: readonly number[];
}

const utf8 = new TextDecoder();
const NOTHING = new Uint8Array(0);

/** Longest time that is told, in µs: nearly nine years, which is longer than programs run. */
const MOST_US = 2 ** 48;
/** Latest begin of a journal, in µs of hrtime, wherever a system's clock begins: it and a time are exact together. */
const LATEST_BEGIN_US = 2 ** 52;
/** A collection may have begun before its thread's journal did: by less than this, in µs. */
const LONGEST_COLLECTION_US = 60_000_000;
/** Most records that were written, dropped or left out, whose sums stay exact: at a million a second it takes twelve days. */
const MOST_COUNT = 2 ** 40;
/** Ids of processes and threads have 32 bits on every system. */
const MOST_ID = 2 ** 32 - 1;
/** V8 counts lines and columns in 31 bits, and Node the milliseconds of a timer. */
const MOST_INT = 2 ** 31 - 1;
/** Most threads of libuv's pool (MAX_THREADPOOL_SIZE). */
const MOST_POOL_THREADS = 1024;
/** Stages of the governor, of which there are four, and its cost in ‰: a thousand times what the program takes. */
const MOST_STAGE = 255;
const MOST_PERMILLE = 1_000_000;
/** A sampler tells no more of a stack (tracer/stacks/frames.ts). */
const MOST_FRAMES = 64;
const MOST_RAN = 16;
/** The shortest record: a tag and one field. */
const RECORD_BYTES = 2;
/**
 * The checksums of chunks that do not hold are computed for so many bytes in all, some 20 ms; after that a damaged chunk is believed in how
 * long it is. Else each of its bytes could begin another one of half a MiB.
 */
const MOST_WASTED_BYTES = 32 * PAYLOAD_BYTES;

export class JournalReader {
	decoded = 0;
	dropped = 0;
	lost = 0;
	/** What the writer says it has written, as far as it was read. */
	written = 0;
	/** Bytes that belong to no readable chunk. */
	skippedBytes = 0;
	/** Records of a damaged chunk by its own word: they are lost for sure when the next chunk says so, or none comes. */
	private unread = 0;

	/** Time of the last record that has one and was not told again, µs since the journal's begin: what comes is no older. */
	latest = 0;
	/** While set, `push` only takes the bytes in, and somebody calls `next`. */
	isHeld = false;

	private readonly visitor: JournalVisitor;
	private generation = -1;
	private nextIndex = 0;
	/** False from damage up to the next generation. */
	private isInStep = false;
	/** The next record has to tell of the thread. */
	private opensGeneration = false;
	/** Of the first generation: the others are of the same thread. */
	private first: ThreadFacts | null = null;
	/** When the last callback began, µs since the journal's begin. */
	private runBegan = 0;
	/** Bytes whose checksum did not hold. */
	private wasted = 0;

	/** What has come, from the chunk that is being read on. */
	private bytes: Uint8Array = NOTHING;
	/** Where the next chunk begins. */
	private from = 0;
	/** The open chunk: its next record, its end, and how many records are left in it. */
	private at = 0;
	private end = 0;
	private left = 0;
	private time = 0;
	private op = 0;

	constructor(visitor: JournalVisitor) {
		this.visitor = visitor;
	}

	get emitted(): number {
		return this.written + this.dropped;
	}

	push(piece: Uint8Array): void {
		this.append(piece);
		while (!this.isHeld && this.next());
		if (this.left === 0) this.dropRead(this.from);
	}

	/** Reads the next record; false when it has not come yet. */
	next(): boolean {
		if (!this.open()) return false;
		this.left--;
		if (this.readRecord()) {
			this.decoded++;
			this.written++;
			if (this.left === 0) this.skippedBytes += this.end - this.at;
		} else {
			this.isInStep = false;
			this.lost += this.left + 1;
			this.written += this.left + 1;
			this.left = 0;
		}
		return true;
	}

	/** The earliest time, µs since the journal's begin, that the next record can be of; -1 when it has not come yet. */
	peek(): number {
		if (!this.open()) return -1;
		const { at, time, op, latest } = this;
		const tag = this.bytes[this.at++];
		if (tag === TAG.start || tag === TAG.begin || tag === TAG.nested) this.opId();
		if (tag === TAG.start) this.uint();
		if (tag === TAG.start || tag === TAG.begin || tag === TAG.nested || tag === TAG.end || tag === TAG.exit)
			this.timeOf();
		this.at = at;
		this.time = time;
		this.op = op;
		const next = this.latest;
		this.latest = latest;
		return next;
	}

	/** No more bytes will come: what is left over is damaged or an unfinished chunk. Returns whether there was any. */
	finish(): boolean {
		this.isHeld = false;
		this.push(NOTHING);
		const isCut = this.bytes.length > 0;
		// A damaged length makes a chunk look unfinished; then others follow it.
		for (;;) {
			const next = findMagic(this.bytes, this.from + 1);
			if (next >= this.bytes.length - 3) break;
			this.isInStep = false;
			this.skippedBytes += next - this.from;
			this.from = next;
			while (this.next());
		}
		this.countUnread(Math.max(this.unread, this.recordsOf(this.bytes, this.from)));
		this.skippedBytes += this.bytes.length - this.from;
		this.dropRead(this.bytes.length);
		return isCut;
	}

	private append(piece: Uint8Array): void {
		this.dropRead(this.left > 0 ? this.at : this.from);
		if (this.bytes.length === 0) {
			this.bytes = piece;
			return;
		}
		const bytes = new Uint8Array(this.bytes.length + piece.length);
		bytes.set(this.bytes);
		bytes.set(piece, this.bytes.length);
		this.bytes = bytes;
	}

	private dropRead(upTo: number): void {
		if (upTo === 0) return;
		this.bytes = upTo >= this.bytes.length ? NOTHING : this.bytes.slice(upTo);
		this.from = Math.max(0, this.from - upTo);
		this.at -= upTo;
		this.end -= upTo;
	}

	/** How many records a chunk at `at` that cannot be read says it holds, if it follows what was read last; else 0. */
	private recordsOf(bytes: Uint8Array, at: number): number {
		if (bytes.length - at < CHUNK_HEADER_BYTES) return 0;
		const view = new DataView(bytes.buffer, bytes.byteOffset + at);
		const records = view.getUint32(16, true);
		return view.getFloat64(20, true) === this.written && records * RECORD_BYTES <= PAYLOAD_BYTES ? records : 0;
	}

	private countUnread(records: number): void {
		this.lost += records;
		this.written += records;
	}

	/** Goes to the next chunk that can be read, when no record is left in the open one; false when none has come yet. */
	private open(): boolean {
		while (this.left === 0) {
			const { bytes, from } = this;
			const length = this.chunkAt(bytes, from);
			if (length === 'incomplete') return false;
			if (length === 'damaged') {
				this.isInStep = false;
				this.unread = Math.max(this.unread, this.recordsOf(bytes, from));
				this.from = findMagic(bytes, from + (this.wasted > MOST_WASTED_BYTES ? saidLength(bytes, from) : 1));
				this.skippedBytes += this.from - from;
			} else if (this.isRepeated(from)) {
				this.from = from + length;
				this.skippedBytes += length;
			} else {
				this.from = from + length;
				this.openChunk(from);
			}
		}
		return true;
	}

	/** Length of the chunk at `at`, header included. */
	private chunkAt(bytes: Uint8Array, at: number): number | 'incomplete' | 'damaged' {
		if (bytes.length - at < CHUNK_HEADER_BYTES) return 'incomplete';
		const view = new DataView(bytes.buffer, bytes.byteOffset + at);
		if (view.getUint32(0, true) !== MAGIC) return 'damaged';
		const payload = view.getUint32(12, true);
		if (payload > PAYLOAD_BYTES || view.getUint32(16, true) * RECORD_BYTES > payload) return 'damaged';
		if (!isCount(view.getFloat64(20, true)) || !isCount(view.getFloat64(28, true))) return 'damaged';
		const length = CHUNK_HEADER_BYTES + payload;
		if (bytes.length - at < length) return 'incomplete';
		const sum = checksum(bytes, at + CHUNK_HEADER_BYTES, at + length, checksum(bytes, at + 4, at + 36));
		if (sum === view.getUint32(36, true)) return length;
		this.wasted += length;
		return 'damaged';
	}

	/** Whether the records of the chunk there, or others in their place, were counted before, or those that its writer has dropped. */
	private isRepeated(from: number): boolean {
		const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + from);
		return view.getFloat64(20, true) < this.written || view.getFloat64(28, true) < this.dropped;
	}

	private openChunk(from: number): void {
		const { bytes } = this;
		const view = new DataView(bytes.buffer, bytes.byteOffset + from);
		const generation = view.getUint32(4, true);
		const index = view.getUint32(8, true);
		const records = view.getUint32(16, true);
		const before = view.getFloat64(20, true);
		this.dropped = view.getFloat64(28, true);

		const isGap = before > this.written || !this.isInStep;
		this.lost += before - this.written;
		this.written = before;
		this.unread = 0;
		if (index === 0 && generation > this.generation) this.begin(isGap);
		else if (generation !== this.generation || index !== this.nextIndex) this.isInStep = false;
		this.generation = Math.max(generation, this.generation);
		this.nextIndex = index + 1;
		if (!this.isInStep) {
			this.lost += records;
			this.written += records;
			return;
		}

		this.at = from + CHUNK_HEADER_BYTES;
		this.end = this.from;
		this.left = records;
		this.time = 0;
		this.op = 0;
	}

	/** A generation begins, with which reading may go on after damage. */
	private begin(isGap: boolean): void {
		if (isGap && this.first !== null) this.visitor.gap();
		this.isInStep = true;
		this.opensGeneration = true;
	}

	/** Reads one record; false when it makes no sense or runs over the chunk's end: then nobody has heard of it. */
	private readRecord(): boolean {
		const tag = this.bytes[this.at++];
		if ((tag === TAG.thread) !== this.opensGeneration) return false;
		switch (tag) {
			case TAG.start:
				return this.readStart();
			case TAG.begin:
				return this.readBegin();
			case TAG.end:
				return this.readEnd();
			case TAG.attribute: {
				const op = this.opId();
				if (this.at > this.end) return false;
				this.visitor.attribute(op);
				return true;
			}
			case TAG.thread:
				return this.readThread();
			case TAG.string: {
				const id = this.uint();
				const text = this.text();
				if (this.at > this.end) return false;
				this.visitor.string(id, text);
				return true;
			}
			case TAG.position: {
				const id = this.uint();
				const script = this.uint();
				const line = this.upTo(MOST_INT);
				const column = this.upTo(MOST_INT);
				const functionName = this.uint();
				if (this.at > this.end) return false;
				this.visitor.position(id, script, line, column, functionName);
				return true;
			}
			default:
				return this.readOther(tag);
		}
	}

	private readThread(): boolean {
		const facts: ThreadFacts = {
			version: this.uint(),
			pid: this.upTo(MOST_ID),
			parentPid: this.upTo(MOST_ID),
			threadId: this.upTo(MOST_ID),
			node: this.text(),
			libuv: this.text(),
			platform: this.text(),
			entry: this.text(),
			beganUs: this.upTo(LATEST_BEGIN_US),
			wallMs: this.uint(),
			promiseHooks: PROMISE_HOOKS[this.uint()] ?? 'on',
			ioUring: [null, false, true][this.uint()] ?? null,
			tid: this.upTo(MOST_ID),
			seesGarbage: this.uint() === 1,
			isLate: this.uint() === 1,
		};
		if (this.at > this.end) return false;
		const { first } = this;
		// One of another thread has come between.
		if (first !== null && !isSameThread(first, facts)) return false;
		this.first = facts;
		this.opensGeneration = false;
		this.visitor.thread(facts);
		return true;
	}

	private readStart(): boolean {
		const op = this.opId();
		const flags = this.uint();
		const time = this.timeOf();
		const type = this.uint();
		const site = this.uint();
		const parent = flags & START_FLAG.parent ? op - this.int() : op;
		const delay = flags & START_FLAG.delay ? this.upTo(MOST_INT) : -1;
		if (this.at > this.end) return false;
		this.visitor.start(op, flags, time, type, site, parent, delay);
		return true;
	}

	private readBegin(): boolean {
		const op = this.opId();
		const time = this.timeOf();
		const flags = this.uint();
		const idle = this.upTo(MOST_US);
		const cpuWait = flags & BEGIN_FLAG.cpuWait ? this.upTo(MOST_US) : 0;
		if (this.at > this.end) return false;
		this.runBegan = time;
		this.visitor.begin(op, time, flags, idle, cpuWait);
		return true;
	}

	private readEnd(): boolean {
		const after = this.timeOf();
		const drain = this.upTo(MOST_US);
		const hint = this.uint();
		if (this.at > this.end || after < this.runBegan) return false;
		this.visitor.end(after, drain, hint);
		return true;
	}

	/** The records that are rare; each has its own end, for what it holds must be known to be right before it is told. */
	private readOther(tag: number | undefined): boolean {
		const { visitor } = this;
		switch (tag) {
			case TAG.site: {
				const [id, user, library, apiName, apiScript] = [
					this.uint(),
					this.uint(),
					this.uint(),
					this.uint(),
					this.uint(),
				];
				if (this.at > this.end) return false;
				visitor.site(id, user, library, apiName, apiScript);
				return true;
			}
			case TAG.nested: {
				const [op, time, duration] = [this.opId(), this.timeOf(), this.upTo(MOST_US)];
				if (this.at > this.end) return false;
				visitor.nested(op, time, duration);
				return true;
			}
			case TAG.pool: {
				const [effective, wanted] = [this.upTo(MOST_POOL_THREADS), this.upTo(MOST_POOL_THREADS)];
				if (this.at > this.end || effective === 0 || wanted === 0) return false;
				visitor.pool(effective, wanted);
				return true;
			}
			case TAG.garbage: {
				const [time, duration] = [this.timeOf(-LONGEST_COLLECTION_US), this.upTo(MOST_US)];
				if (this.at > this.end) return false;
				visitor.garbage(time, duration);
				return true;
			}
			case TAG.late: {
				const [lateness, standsFor] = [this.upTo(MOST_US), this.upTo(MOST_US)];
				if (this.at > this.end) return false;
				visitor.late(lateness, standsFor);
				return true;
			}
			case TAG.stage: {
				const time = this.timeOf();
				const [stage, every, permille] = [this.upTo(MOST_STAGE), this.upTo(MOST_COUNT), this.upTo(MOST_PERMILLE)];
				if (this.at > this.end) return false;
				visitor.stage(time, stage, every, permille);
				return true;
			}
			case TAG.unrecorded: {
				const [site, type] = [this.uint(), this.uint()];
				const [every, count] = [this.upTo(MOST_COUNT), this.upTo(MOST_COUNT)];
				if (this.at > this.end) return false;
				visitor.unrecorded(site, type, every, count);
				return true;
			}
			case TAG.held: {
				const [time, duration, site] = [this.timeOf(), this.upTo(MOST_US), this.uint()];
				if (this.at > this.end) return false;
				visitor.held(time, duration, site);
				return true;
			}
			case TAG.stack:
				return this.readStack();
			case TAG.sampled: {
				const [time, duration, stack, isCollection] = [this.timeOf(), this.upTo(MOST_US), this.uint(), this.uint()];
				if (this.at > this.end) return false;
				visitor.sampled(time, duration, stack, isCollection === 1);
				return true;
			}
			case TAG.stop: {
				const reason = this.text();
				if (this.at > this.end) return false;
				visitor.stop(reason);
				return true;
			}
			case TAG.exit: {
				const [time, idle] = [this.timeOf(), this.upTo(MOST_US)];
				if (this.at > this.end) return false;
				visitor.exit(time, idle);
				return true;
			}
			case TAG.ancestor: {
				const pid = this.upTo(MOST_ID);
				if (this.at > this.end) return false;
				visitor.ancestor(pid);
				return true;
			}
			case TAG.child: {
				const [op, kind, id] = [this.opId(), CHILD_KINDS[this.uint()], this.upTo(MOST_ID)];
				if (this.at > this.end || kind === undefined) return false;
				visitor.child(op, kind, id);
				return true;
			}
			default:
				return false;
		}
	}

	private readStack(): boolean {
		const [id, api, count] = [this.uint(), this.uint(), this.upTo(MOST_FRAMES)];
		const frames: FrameFacts[] = [];
		while (frames.length < count && this.at <= this.end) {
			const [script, name] = [this.uint(), this.uint()];
			const [line, column, isLibrary] = [this.upTo(MOST_INT), this.upTo(MOST_INT), this.uint() === 1];
			const lines: number[] = [];
			for (let left = this.upTo(MOST_RAN); left > 0; left--) lines.push(this.upTo(MOST_INT));
			frames.push({ script, name, line, column, isLibrary, lines });
		}
		if (this.at > this.end) return false;
		this.visitor.stack(id, api, frames);
		return true;
	}

	/** What was read last makes no sense: nothing more of the chunk is read, and no field of this record counts. */
	private refuse(): 0 {
		this.at = this.end + 1;
		return 0;
	}

	private uint(): number {
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

	/** A uint of at most so much. */
	private upTo(most: number): number {
		const value = this.uint();
		return value <= most ? value : this.refuse();
	}

	private int(): number {
		const value = this.uint();
		// Beyond 31 bits the operators of JavaScript would cut.
		if (value <= 0x7fffffff) return (value >>> 1) ^ -(value & 1);
		return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
	}

	/** @param earliest that makes sense, µs since the journal's begin */
	private timeOf(earliest = 0): number {
		const time = this.time + this.int();
		if (time < earliest || time > MOST_US) return this.refuse();
		this.time = time;
		if (time > this.latest) this.latest = time;
		return time;
	}

	private opId(): number {
		this.op += this.int();
		return Math.abs(this.op) <= Number.MAX_SAFE_INTEGER ? this.op : this.refuse();
	}

	private text(): string {
		const length = this.upTo(TEXT_BYTES);
		const from = this.at;
		this.at += length;
		return this.at <= this.end ? utf8.decode(this.bytes.subarray(from, this.at)) : '';
	}
}

function isCount(value: number): boolean {
	return Number.isInteger(value) && value >= 0 && value <= MOST_COUNT;
}

/** How long the chunk at `at` says that it is, header included, as far as there are bytes; at least 1. */
function saidLength(bytes: Uint8Array, at: number): number {
	const view = new DataView(bytes.buffer, bytes.byteOffset + at);
	if (view.getUint32(0, true) !== MAGIC) return 1;
	return Math.min(CHUNK_HEADER_BYTES + view.getUint32(12, true), bytes.length - at);
}

function isSameThread(a: ThreadFacts, b: ThreadFacts): boolean {
	return a.pid === b.pid && a.threadId === b.threadId && a.beganUs === b.beganUs;
}

function findMagic(bytes: Uint8Array, from: number): number {
	const last = bytes.length - 4;
	for (let at = from; at <= last; at++) {
		if (
			bytes[at] === (MAGIC & 0xff) &&
			bytes[at + 1] === ((MAGIC >> 8) & 0xff) &&
			bytes[at + 2] === ((MAGIC >> 16) & 0xff) &&
			bytes[at + 3] === MAGIC >>> 24
		) {
			return at;
		}
	}
	// The last three bytes may be the start of one.
	return Math.max(from, bytes.length - 3);
}
