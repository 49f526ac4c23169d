// Writes the journal: encodes records into one buffer and appends it to the thread's own file, synchronously. No timer, no
// handle, no promise: nothing that the program could see.
import {
	CHUNK_HEADER_BYTES,
	checksum,
	GENERATION_BYTES,
	GENERATION_MS,
	MAGIC,
	QUOTA_BYTES,
	TEXT_BYTES,
} from '../../src/protocol/journal.ts';
import {
	BOOLEAN,
	EARLY_TIME,
	type FieldValue,
	LAYOUTS,
	OP,
	type RecordName,
	TAG,
	TEXT,
	TIME,
	type ValuesOf,
} from '../../src/protocol/journal-records.ts';
import { closeSync, fstatSync, openSync, readlinkSync, writeSync } from '../process/node-functions.ts';
import { ownValue } from '../process/own-value.ts';
import { isLinux } from '../process/platform.ts';

/** The most that one flush writes; about 3,000 operations fill half of it. */
const BUFFER_BYTES = 64 * 1024;
/** No record without its texts is longer than this. */
const RECORD_BYTES = 160;
/** No record that `writeNumbers` writes has more. */
const NUMBERS = 8;

export class JournalWriter {
	/** Counts generations from 1: strings and sites written in an older one must be written again. */
	generation = 1;
	/** Records given up because an error may have left them half written, or because they would have come in the middle of another. */
	dropped = 0;
	/** Why recording stopped; null while it goes on. */
	stopped: string | null = null;

	private readonly bytes = new Uint8Array(BUFFER_BYTES);
	/** Not by methods of `Buffer`, which are JavaScript: a debugger that pauses the program gives up after some 250 steps, and a header took 150 of them. */
	private readonly view = new DataView(this.bytes.buffer);
	private readonly fd: number;
	private readonly inode: number | bigint;
	private readonly path: string | undefined;
	private readonly hasReader: () => boolean;
	private readonly describeThread: (writer: JournalWriter) => void;
	private at = CHUNK_HEADER_BYTES;
	private records = 0;
	/** Where the last record begins, and how many records came before it. */
	private recordAt = CHUNK_HEADER_BYTES;
	private recordsBefore = 0;
	private written = 0;
	/** How long the file is when all of `unwritten` has been written, in bytes. */
	private total = 0;
	/** How long the chunk is that is being written, in bytes: V8 may end our code in the middle of that. 0 while none is. */
	private unwritten = 0;
	private chunk = 0;
	private generationBytes = 0;
	private generationBegan = 0;
	private lastTime = 0;
	private lastOp = 0;
	private strings = new Map<string, number>();
	/** The numbers of the record that `writeNumbers` writes: integers or fractions, 0 or more. */
	readonly numbers = new Float64Array(NUMBERS);

	/**
	 * @param file the journal to make
	 * @param hasReader whether a host reads the journal (tracer/journal/lease.ts)
	 * @param describeThread writes the `thread` record, which opens each generation
	 * @throws when the file cannot be made
	 */
	constructor(file: string, hasReader: () => boolean, describeThread: (writer: JournalWriter) => void) {
		this.fd = openSync(file, 'ax', 0o600);
		this.inode = inodeOf(this.fd);
		this.path = pathOf(this.fd);
		this.hasReader = hasReader;
		this.describeThread = describeThread;
		describeThread(this);
	}

	/** Opens a record. Flushes first when the buffer is too full for one. */
	record(tag: number): void {
		if (this.at > BUFFER_BYTES - RECORD_BYTES) this.flush(null);
		this.recordAt = this.at;
		this.recordsBefore = this.records;
		this.bytes[this.at++] = tag;
		this.records++;
	}

	/** Writes a record by its list of fields (src/protocol/journal-records.ts). What it refers to must be written before. */
	write<Name extends RecordName>(name: Name, values: ValuesOf<Name>): void {
		const tag = TAG[name];
		const { fields, kinds } = LAYOUTS[tag]!;
		this.record(tag);
		for (let i = 0; i < kinds.length; i++) this.field(kinds[i]!, (values as Record<string, FieldValue>)[fields[i]!]!);
	}

	/** A field of any kind, except those that may be absent: records with such fields are written by `writeNumbers`. */
	private field(kind: number, value: FieldValue): void {
		if (kind === OP) this.op(value as number);
		else if (kind === TIME || kind === EARLY_TIME) this.time(value as number);
		else if (kind === TEXT) this.text(value as string);
		else if (kind === BOOLEAN) this.uint(value ? 1 : 0);
		else this.uint(value as number);
	}

	/**
	 * Writes the first `count` numbers into the record, fractions cut. One loop for all of them: where each of the
	 * usual records had its numbers written by calls of their own, V8 inlined these into each other, and 20 KB of code
	 * had to come into the caches for a request.
	 */
	writeNumbers(count: number): void {
		const { bytes, numbers } = this;
		let { at } = this;
		for (let i = 0; i < count; i++) {
			let number = numbers[i]!;
			// Beyond 31 bits the operators of JavaScript would cut.
			for (; number > 0x7fffffff; number = Math.floor(number / 128)) bytes[at++] = (number % 128) | 0x80;
			let rest = number | 0;
			for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
			bytes[at++] = rest;
		}
		this.at = at;
	}

	/** The number to give `writeNumbers` for a time. @param us µs since the journal began; fractions are cut */
	timeFrom(us: number): number {
		const whole = Math.floor(us);
		const difference = whole - this.lastTime;
		this.lastTime = whole;
		return zigzag(difference);
	}

	/** The number to give `writeNumbers` for an operation. */
	opFrom(id: number): number {
		const difference = id - this.lastOp;
		this.lastOp = id;
		return zigzag(difference);
	}

	uint(value: number): void {
		let rest = value;
		while (rest > 0x7f) {
			// Beyond 31 bits the operators of JavaScript would cut.
			this.bytes[this.at++] = (rest % 128) | 0x80;
			rest = rest > 0x7fffffff ? Math.floor(rest / 128) : rest >>> 7;
		}
		this.bytes[this.at++] = rest;
	}

	/** @param us µs since the journal began; fractions are cut */
	time(us: number): void {
		this.uint(this.timeFrom(us));
	}

	op(id: number): void {
		this.uint(this.opFrom(id));
	}

	/**
	 * A text in UTF-8; one that is too long is cut to as many whole characters as the reader accepts, and half a surrogate pair becomes U+FFFD, both as
	 * `Buffer` does. Without `Buffer`: a debugger that stops the thread steps through some 20 of its lines for each text (docs/times.md).
	 */
	text(value: string): void {
		let length = 0;
		let end = 0;
		for (let size = 0; end < value.length; end += size > 3 ? 2 : 1) {
			size = sizeOf(value.codePointAt(end)!);
			if (length + size > TEXT_BYTES) break;
			length += size;
		}
		this.uint(length);
		const { bytes } = this;
		let { at } = this;
		for (let i = 0; i < end; i++) {
			let code = value.codePointAt(i)!;
			if (code >= 0xd800 && code < 0xe000) code = 0xfffd;
			const size = sizeOf(code);
			if (size > 3) i++;
			bytes[at++] = size === 1 ? code : ((0xf00 >> size) & 0xff) | (code >> (6 * size - 6));
			for (let rest = size - 2; rest >= 0; rest--) bytes[at++] = 0x80 | ((code >> (6 * rest)) & 0x3f);
		}
		this.at = at;
	}

	/** The id of a string in this generation; writes the string first when it is new. Call it before `record`. */
	string(value: string): number {
		const known = this.strings.get(value);
		if (known !== undefined) return known;
		const id = this.strings.size + 1;
		if (this.at > BUFFER_BYTES - RECORD_BYTES - TEXT_BYTES) this.flush(null);
		this.strings.set(value, id);
		this.write('string', { id, text: value });
		return id;
	}

	/** Whether the buffer is so full that a flush is due whatever the time. */
	get halfFull(): boolean {
		return this.at > BUFFER_BYTES / 2;
	}

	private get isEmpty(): boolean {
		return this.at === CHUNK_HEADER_BYTES;
	}

	/**
	 * Appends the buffer to the file.
	 * @param now µs since the journal began, or null in the middle of a record, where no generation may end
	 */
	flush(now: number | null): void {
		if (this.stopped !== null) {
			this.reset();
			return;
		}
		if (!this.isEmpty) this.append();
		if (now === null) return;
		if (now - this.generationBegan >= GENERATION_MS * 1000 || this.generationBytes >= GENERATION_BYTES) this.turn(now);
	}

	/**
	 * Stops recording for good and says why in the journal.
	 * @param isBroken whether an error may have left the last record half written
	 * @throws when the journal cannot be written any more
	 */
	stop(reason: string, isBroken = false): void {
		if (this.stopped !== null) return;
		if (isBroken) this.dropLast();
		if (this.at > BUFFER_BYTES - RECORD_BYTES - TEXT_BYTES) this.append();
		this.write('stop', { reason: reason.slice(0, 100) });
		this.append();
		this.stopped = reason;
		closeSync(this.fd);
	}

	/**
	 * Continues after a record that may be half written, in a new generation: entries of the old one's tables may be
	 * missing from the journal.
	 * @param now µs since the journal began
	 */
	mend(now: number): void {
		if (this.stopped !== null) return;
		if (this.unwritten > 0) this.writeRest(this.unwritten - this.total + Number(fstatSync(this.fd).size));
		this.dropLast();
		if (!this.isEmpty) this.append();
		this.beginGeneration(now);
	}

	/** The next regular flush ends the generation. */
	endGeneration(): void {
		this.generationBytes = GENERATION_BYTES;
	}

	/** Counts a record that is not written, since it would come in the middle of another. */
	drop(): void {
		this.dropped++;
	}

	private dropLast(): void {
		if (this.records > this.recordsBefore) this.dropped++;
		this.at = this.recordAt;
		this.records = this.recordsBefore;
	}

	/**
	 * Writes the buffer and closes the file: the thread ends. Its process may live on, and nothing else would close the
	 * file.
	 */
	end(): void {
		if (this.stopped !== null) return;
		this.append();
		this.stopped = 'exit';
		closeSync(this.fd);
	}

	private append(): void {
		const { at, bytes, view } = this;
		const header = [MAGIC, this.generation - 1, this.chunk, at - CHUNK_HEADER_BYTES, this.records];
		for (let i = 0; i < header.length; i++) view.setUint32(4 * i, header[i]!, true);
		view.setFloat64(20, this.written, true);
		view.setFloat64(28, this.dropped, true);
		view.setUint32(36, checksum(bytes, CHUNK_HEADER_BYTES, at, checksum(bytes, 4, 36)), true);
		// Nothing is called from here to the write: V8 may end our code wherever it calls.
		this.written += this.records;
		this.total += at;
		this.generationBytes += at;
		this.chunk++;
		this.unwritten = at;
		this.writeRest(0);
	}

	/** Writes the chunk in the buffer from one of its bytes on, and empties the buffer. */
	private writeRest(from: number): void {
		// A program may close descriptors that it does not know and get our number for a file of its own.
		if (this.path !== (pathOf(this.fd) ?? NaN) && inodeOf(this.fd) !== this.inode)
			throw new Error('the journal was closed by the program');
		const { bytes, unwritten } = this;
		try {
			while (from < unwritten) from += writeSync(this.fd, bytes, from, unwritten - from);
		} catch (error) {
			// The end of the stack: the rest is written later (tracer/failure-guard.ts).
			if (ownValue(error, 'code') === undefined) throw error;
			// The disk is full, or the folder's file system is gone. The counters of the next chunk that can be written
			// show how many records are missing; that chunk begins a generation, since the strings and sites of this
			// one may never have reached the file.
			this.endGeneration();
			this.total -= unwritten - from;
		}
		this.reset();
	}

	private reset(): void {
		this.at = this.recordAt = CHUNK_HEADER_BYTES;
		this.records = this.recordsBefore = this.unwritten = 0;
		this.lastTime = 0;
		this.lastOp = 0;
	}

	/** Ends the generation, once a second at most, and checks the limits then: it costs one `stat`. */
	private turn(now: number): void {
		const isAlone = !this.hasReader();
		if (isAlone || this.total > QUOTA_BYTES) {
			this.stop(isAlone ? 'lease' : 'quota');
			return;
		}
		this.beginGeneration(now);
	}

	private beginGeneration(now: number): void {
		this.generation++;
		this.chunk = 0;
		this.generationBytes = 0;
		this.generationBegan = now;
		this.strings.clear();
		this.describeThread(this);
	}
}

/** Which file a descriptor leads to. */
function inodeOf(fd: number): number | bigint {
	// NTFS has ids of 64 bits: as numbers, those of two files may be the same.
	return fstatSync(fd, { bigint: !isLinux }).ino;
}

/** Its path, where the system shows it: Node fills no object for that, as it does for `fstat`, whose setters a program could watch. */
function pathOf(fd: number): string | undefined {
	try {
		if (isLinux) return readlinkSync(`/proc/self/fd/${fd}`, {});
	} catch {
		// No such descriptor, or no /proc: `fstat` finds out which.
	}
	return undefined;
}

/** How many bytes a character takes in UTF-8. */
function sizeOf(code: number): number {
	return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** Maps a number that may be negative to one that is not; small ones stay small. */
export function zigzag(value: number): number {
	return value < 0 ? -2 * value - 1 : 2 * value;
}
