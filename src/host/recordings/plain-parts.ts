// The parts of a recording of version 1, as Waitline 0.1.0 wrote them, one after the other and not packed:
//
//   u32 length of the name, the name in UTF-8, f64 length of the bytes, the bytes (little endian)
import { JOURNAL_SUFFIX } from '../../protocol/journal.ts';
import { NAME_BYTES, PART_BYTES, PIECE_BYTES, type RecordingPart } from './recording-part.ts';

const NAME_AT_END = /\d{1,10}\.\d{1,10}\.\d{1,16}\.journal$/;
const IS_JSON = /\.json$/;

class PlainPart implements RecordingPart {
	readonly name: string;
	readonly missing: number;
	readonly unreadable = 0;
	readonly length: number;
	private readonly bytes: Uint8Array;

	constructor(name: string, bytes: Uint8Array, missing: number) {
		this.name = name;
		this.bytes = bytes;
		this.length = bytes.length;
		this.missing = missing;
	}

	slice(from: number, to: number): Uint8Array {
		return this.bytes.subarray(from, to);
	}

	seek(from: number, to: number): Uint8Array {
		return this.slice(from, to);
	}

	*pieces(): Generator<Uint8Array> {
		for (let at = 0; at < this.bytes.length; at += PIECE_BYTES) yield this.bytes.subarray(at, at + PIECE_BYTES);
	}
}

/**
 * Calls `take` for each part.
 * @param take false when it is none that a recording has, or not all of it makes sense
 * @returns how many bytes belong to none that was taken
 */
export function takePlainParts(bytes: Buffer, take: (part: RecordingPart) => boolean): number {
	let unreadable = 0;
	const seen = new Set<string>();
	for (let at = 0; at < bytes.length; ) {
		const head = readHead(bytes, at);
		if (head === null) {
			const next = nextJournal(bytes, at + 1);
			unreadable += next - at;
			at = next;
			continue;
		}
		const { name, from, length } = head;
		const content = bytes.subarray(from, from + length);
		at = from + content.length;
		const isKnown = !seen.has(name) && take(new PlainPart(name, content, length - content.length));
		// The length of a part that makes no sense may be damaged too, and journals may lie within it.
		if (!isKnown && IS_JSON.test(name)) at = Math.min(at, nextJournal(bytes, from));
		if (!isKnown) unreadable += at - from;
		seen.add(name);
	}
	return unreadable;
}

/** The head before a part's bytes; null when it makes no sense. */
function readHead(bytes: Buffer, at: number): { name: string; from: number; length: number } | null {
	if (at + 4 > bytes.length) return null;
	const nameLength = bytes.readUInt32LE(at);
	const from = at + 4 + nameLength + 8;
	if (nameLength > NAME_BYTES || from > bytes.length) return null;
	const length = bytes.readDoubleLE(from - 8);
	if (!Number.isInteger(length) || length < 0 || length > PART_BYTES) return null;
	return { name: bytes.toString('utf8', at + 4, at + 4 + nameLength), from, length };
}

/** Where the next journal's part begins, at `from` or behind it; the end of the file when there is none. */
function nextJournal(bytes: Buffer, from: number): number {
	for (let end = from; ; ) {
		const found = bytes.indexOf(JOURNAL_SUFFIX, end);
		if (found < 0) return bytes.length;
		end = found + JOURNAL_SUFFIX.length;
		const [name = ''] = NAME_AT_END.exec(bytes.toString('latin1', Math.max(from, end - NAME_BYTES), end)) ?? [];
		const at = end - name.length - 4;
		if (at >= from && readHead(bytes, at)?.name === name) return at;
	}
}
