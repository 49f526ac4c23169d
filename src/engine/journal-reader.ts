// Reads a journal's bytes, in whatever pieces they come, and calls a visitor for each record. Never throws: damaged bytes are
// skipped up to the next generation, and what was missed is counted from the writer's own counters.
import {
	BEGIN_FLAG,
	CHILD_KINDS,
	CHUNK_HEADER_BYTES,
	checksum,
	MAGIC,
	PAYLOAD_BYTES,
	PROMISE_HOOKS,
	TAG,
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
	stop(reason: string): void;
	exit(time: number, idle: number): void;
	ancestor(pid: number): void;
	/** @param id process or thread id */
	child(op: number, kind: (typeof CHILD_KINDS)[number], id: number): void;
}

const utf8 = new TextDecoder();
const NOTHING = new Uint8Array(0);

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
			const next = findMagic(this.bytes, 1);
			if (next >= this.bytes.length - 3) break;
			this.isInStep = false;
			this.skippedBytes += next;
			this.from = next;
			this.push(NOTHING);
		}
		this.countUnread(Math.max(this.unread, this.recordsOf(this.bytes, 0)));
		this.skippedBytes += this.bytes.length;
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
		return view.getFloat64(20, true) === this.written && records <= PAYLOAD_BYTES ? records : 0;
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
				this.from = findMagic(bytes, from + 1);
				this.skippedBytes += this.from - from;
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
		if (payload > PAYLOAD_BYTES) return 'damaged';
		const length = CHUNK_HEADER_BYTES + payload;
		if (bytes.length - at < length) return 'incomplete';
		const sum = checksum(bytes, at + CHUNK_HEADER_BYTES, at + length, checksum(bytes, at + 4, at + 36));
		return sum === view.getUint32(36, true) ? length : 'damaged';
	}

	private openChunk(from: number): void {
		const { bytes } = this;
		const view = new DataView(bytes.buffer, bytes.byteOffset + from);
		const generation = view.getUint32(4, true);
		const index = view.getUint32(8, true);
		const records = view.getUint32(16, true);
		const before = view.getFloat64(20, true);
		this.dropped = view.getFloat64(28, true);

		this.lost += Math.max(0, before - this.written);
		this.written = before;
		this.unread = 0;
		if (index === 0 && generation > this.generation) this.isInStep = true;
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

	/** Reads one record; false when it makes no sense or runs over the chunk's end. */
	private readRecord(): boolean {
		const { visitor } = this;
		switch (this.bytes[this.at++]) {
			case TAG.thread: {
				const facts: ThreadFacts = {
					version: this.uint(),
					pid: this.uint(),
					parentPid: this.uint(),
					threadId: this.uint(),
					node: this.text(),
					libuv: this.text(),
					platform: this.text(),
					entry: this.text(),
					beganUs: this.uint(),
					wallMs: this.uint(),
					promiseHooks: PROMISE_HOOKS[this.uint()] ?? 'on',
					ioUring: [null, false, true][this.uint()] ?? null,
					tid: this.uint(),
					seesGarbage: this.uint() === 1,
					isLate: this.uint() === 1,
				};
				visitor.thread(facts);
				break;
			}
			case TAG.string:
				visitor.string(this.uint(), this.text());
				break;
			case TAG.position:
				visitor.position(this.uint(), this.uint(), this.uint(), this.uint(), this.uint());
				break;
			case TAG.site:
				visitor.site(this.uint(), this.uint(), this.uint(), this.uint(), this.uint());
				break;
			case TAG.start: {
				const op = this.opId();
				const flags = this.uint();
				const time = this.timeOf();
				const type = this.uint();
				const site = this.uint();
				const parent = flags & 1 ? op - this.int() : op;
				visitor.start(op, flags, time, type, site, parent, flags & 2 ? this.uint() : -1);
				break;
			}
			case TAG.begin:
				this.readBegin();
				break;
			case TAG.end:
				visitor.end(this.timeOf(), this.uint(), this.uint());
				break;
			case TAG.attribute:
				visitor.attribute(this.opId());
				break;
			case TAG.nested:
				visitor.nested(this.opId(), this.timeOf(), this.uint());
				break;
			case TAG.pool:
				visitor.pool(this.uint(), this.uint());
				break;
			case TAG.garbage:
				visitor.garbage(this.timeOf(), this.uint());
				break;
			case TAG.late:
				visitor.late(this.uint(), this.uint());
				break;
			case TAG.stage:
				visitor.stage(this.timeOf(), this.uint(), this.uint(), this.uint());
				break;
			case TAG.unrecorded:
				visitor.unrecorded(this.uint(), this.uint(), this.uint(), this.uint());
				break;
			case TAG.held:
				visitor.held(this.timeOf(), this.uint(), this.uint());
				break;
			case TAG.stop:
				visitor.stop(this.text());
				break;
			case TAG.exit:
				visitor.exit(this.timeOf(), this.uint());
				break;
			case TAG.ancestor:
				visitor.ancestor(this.uint());
				break;
			case TAG.child:
				visitor.child(this.opId(), CHILD_KINDS[this.uint()] ?? 'process', this.uint());
				break;
			default:
				return false;
		}
		return this.at <= this.end;
	}

	private readBegin(): void {
		const op = this.opId();
		const time = this.timeOf();
		const flags = this.uint();
		const idle = this.uint();
		this.visitor.begin(op, time, flags, idle, flags & BEGIN_FLAG.cpuWait ? this.uint() : 0);
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
		while (this.at < end) {
			const byte = bytes[this.at++]!;
			value += (byte & 0x7f) * scale;
			if (byte < 0x80) return value;
			scale *= 128;
		}
		this.at = end + 1;
		return 0;
	}

	private int(): number {
		const value = this.uint();
		// Beyond 31 bits the operators of JavaScript would cut.
		if (value <= 0x7fffffff) return (value >>> 1) ^ -(value & 1);
		return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
	}

	private timeOf(): number {
		this.time += this.int();
		if (this.time > this.latest) this.latest = this.time;
		return this.time;
	}

	private opId(): number {
		this.op += this.int();
		return this.op;
	}

	private text(): string {
		const length = this.uint();
		const from = this.at;
		this.at += length;
		return this.at <= this.end ? utf8.decode(this.bytes.subarray(from, this.at)) : '';
	}
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
