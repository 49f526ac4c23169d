// Reads a journal's bytes, in whatever pieces they come, and calls a visitor for each record. Never throws: damaged
// bytes are skipped up to the next generation, and the missed records are counted from the writer's own counters.
import { CHUNK_HEADER_BYTES, checksum, MAGIC, PAYLOAD_BYTES } from '../../protocol/journal.ts';
import { TAG } from '../../protocol/journal-records.ts';
import type { JournalVisitor } from './journal-visitor.ts';
import { MOST_COUNT, RecordDecoder } from './record-decoder.ts';
import { RecordReader } from './record-reader.ts';

const NOTHING = new Uint8Array(0);

/** The shortest record: a tag and one field. */
const RECORD_BYTES = 2;
/**
 * The most bytes whose checksums are computed for chunks that turn out damaged, some 20 ms; after that the length of a
 * damaged chunk is believed. Otherwise each of its bytes could begin another one of half a MiB.
 */
const MOST_WASTED_BYTES = 32 * PAYLOAD_BYTES;

export class JournalReader {
	decoded = 0;
	dropped = 0;
	lost = 0;
	/** How many records the writer claims to have written, as far as it was read. */
	written = 0;
	/** Bytes that belong to no readable chunk. */
	skippedBytes = 0;
	/**
	 * Records that a damaged chunk claims to contain: they are surely lost when the next chunk confirms it, or none
	 * follows.
	 */
	private unread = 0;

	/** Where further bytes come from once those received are read; they are asked for only then. */
	private source: Iterator<Uint8Array> | null = null;

	/** Is called when a generation begins, with the place of its first byte in the journal. */
	onGeneration: ((at: number) => void) | null = null;

	/** While set, `push` only stores the bytes, and the records are read by calling `next`. */
	isSuspended = false;

	private readonly visitor: JournalVisitor;
	private readonly decoder = new RecordDecoder();
	private readonly records: RecordReader;
	private generation = -1;
	private nextIndex = 0;
	/** False from damage up to the next generation. */
	private isInStep = false;
	/** The next record must be a `thread` record. */
	private opensGeneration = false;
	/** Bytes of chunks whose checksum was wrong. */
	private wasted = 0;

	/** The bytes received, from the chunk that is being read on. */
	private bytes: Uint8Array = NOTHING;
	/** The bytes of the journal before those. */
	private before = 0;
	/** Where the next chunk begins. */
	private from = 0;
	/** Records that are left in the open chunk. */
	private left = 0;

	constructor(visitor: JournalVisitor) {
		this.visitor = visitor;
		this.records = new RecordReader(this.decoder, visitor);
	}

	/**
	 * The latest time of a record so far, µs since the journal began: later records are no older, unless they are
	 * repetitions.
	 */
	get latest(): number {
		return this.decoder.latest;
	}

	/** How many bytes of the journal have come. */
	get received(): number {
		return this.before + this.bytes.length;
	}

	get emitted(): number {
		return this.written + this.dropped;
	}

	push(piece: Uint8Array): void {
		this.append(piece);
		while (!this.isSuspended && this.next());
		if (this.left === 0) this.dropRead(this.from);
	}

	/** All bytes of a journal, each piece of which is taken only when those before it are read. */
	pull(pieces: Iterable<Uint8Array>): void {
		this.source = pieces[Symbol.iterator]();
		this.push(NOTHING);
	}

	/** Reads the next record; false when it has not come yet. */
	next(): boolean {
		if (!this.open()) return false;
		this.left--;
		if (this.readRecord()) {
			this.decoded++;
			this.written++;
			if (this.left === 0) this.skippedBytes += this.decoder.end - this.decoder.at;
		} else {
			this.isInStep = false;
			this.lost += this.left + 1;
			this.written += this.left + 1;
			this.left = 0;
		}
		return true;
	}

	/**
	 * The earliest time, µs since the journal began, that the next record can have; -1 when it has not arrived yet.
	 */
	peek(): number {
		return this.open() ? this.decoder.peek() : -1;
	}

	/** No more bytes will come: what is left over is damaged or an unfinished chunk. Returns whether there was any. */
	finish(): boolean {
		this.isSuspended = false;
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

	/** Takes the next piece of the source; false when there is none. */
	private takePiece(): boolean {
		const next = this.source?.next();
		if (next === undefined || next.done) {
			this.source = null;
			return false;
		}
		this.append(next.value);
		return true;
	}

	private append(piece: Uint8Array): void {
		this.dropRead(this.left > 0 ? this.decoder.at : this.from);
		if (this.bytes.length === 0) {
			this.bytes = piece;
			return;
		}
		const bytes = new Uint8Array(this.bytes.length + piece.length);
		bytes.set(this.bytes);
		bytes.set(piece, this.bytes.length);
		this.bytes = bytes;
		this.decoder.moved(bytes, 0);
	}

	private dropRead(upTo: number): void {
		if (upTo === 0) return;
		this.before += Math.min(upTo, this.bytes.length);
		this.bytes = upTo >= this.bytes.length ? NOTHING : this.bytes.slice(upTo);
		this.from = Math.max(0, this.from - upTo);
		this.decoder.moved(this.bytes, upTo);
	}

	/** How many records an unreadable chunk at `at` claims to contain, if it follows what was read last; else 0. */
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

	/** Opens the next readable chunk, when no record is left in the open one; false when none has arrived yet. */
	private open(): boolean {
		while (this.left === 0) {
			const { bytes, from } = this;
			const length = this.chunkAt(bytes, from);
			if (length === 'incomplete') {
				if (!this.takePiece()) return false;
			} else if (length === 'damaged') {
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

	/**
	 * Whether the records of the chunk there were counted before, or others in their place, or records that its writer
	 * dropped.
	 */
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
		const written = view.getFloat64(20, true);
		this.dropped = view.getFloat64(28, true);

		const isGap = written > this.written || !this.isInStep;
		this.lost += written - this.written;
		this.written = written;
		this.unread = 0;
		if (index === 0 && generation > this.generation) this.begin(isGap, from);
		else if (generation !== this.generation || index !== this.nextIndex) this.isInStep = false;
		this.generation = Math.max(generation, this.generation);
		this.nextIndex = index + 1;
		if (!this.isInStep) {
			this.lost += records;
			this.written += records;
			return;
		}

		this.decoder.open(bytes, from + CHUNK_HEADER_BYTES, this.from);
		this.left = records;
	}

	/** A generation begins, with which reading may resume after damage. */
	private begin(isGap: boolean, from: number): void {
		if (isGap && this.records.knowsThread) this.visitor.gap();
		this.onGeneration?.(this.before + from);
		this.isInStep = true;
		this.opensGeneration = true;
	}

	/** Reads one record; false when it makes no sense where it is: then no visitor method was called for it. */
	private readRecord(): boolean {
		if ((this.decoder.tag === TAG.thread) !== this.opensGeneration || !this.records.read()) return false;
		this.opensGeneration = false;
		return true;
	}
}

function isCount(value: number): boolean {
	return Number.isInteger(value) && value >= 0 && value <= MOST_COUNT;
}

/** The length that the chunk at `at` claims to have, header included, as far as there are bytes; at least 1. */
function saidLength(bytes: Uint8Array, at: number): number {
	const view = new DataView(bytes.buffer, bytes.byteOffset + at);
	if (view.getUint32(0, true) !== MAGIC) return 1;
	return Math.min(CHUNK_HEADER_BYTES + view.getUint32(12, true), bytes.length - at);
}

function findMagic(bytes: Uint8Array, from: number): number {
	for (let at = bytes.indexOf(MAGIC & 0xff, from); at >= 0 && at <= bytes.length - 4; ) {
		if (
			bytes[at + 1] === ((MAGIC >> 8) & 0xff) &&
			bytes[at + 2] === ((MAGIC >> 16) & 0xff) &&
			bytes[at + 3] === MAGIC >>> 24
		) {
			return at;
		}
		at = bytes.indexOf(MAGIC & 0xff, at + 1);
	}
	// The last three bytes may be the start of one.
	return Math.max(from, bytes.length - 3);
}
