// A recording taken apart and put together again, so that mutations can change what stands in it and still be understood: parts of a file,
// chunks of a journal. Written apart from the reader under test, after the two formats' descriptions.
import { CHUNK_HEADER_BYTES, checksum, MAGIC } from '../../src/protocol/journal.ts';

const SIGNATURE = Buffer.from('WAITLIN1', 'latin1');

/** One part of a recording file. */
export interface Part {
	name: Buffer;
	/** What its head says of its length, where that is not the truth. */
	saidLength?: number;
	saidNameLength?: number;
	bytes: Buffer;
}

/** The fields of a chunk's head that can be anything, at their offsets. */
export const CHUNK_FIELDS = { generation: 4, index: 8, length: 12, records: 16, before: 20, dropped: 28 } as const;

/** The parts of an undamaged recording. */
export function partsOf(recording: Buffer): Part[] {
	const parts: Part[] = [];
	for (let at = SIGNATURE.length; at < recording.length; ) {
		const nameEnd = at + 4 + recording.readUInt32LE(at);
		const from = nameEnd + 8;
		const end = from + recording.readDoubleLE(nameEnd);
		parts.push({ name: recording.subarray(at + 4, nameEnd), bytes: recording.subarray(from, end) });
		at = end;
	}
	return parts;
}

export function recordingOf(parts: readonly Part[]): Buffer {
	const pieces: Buffer[] = [SIGNATURE];
	for (const { name, bytes, saidLength = bytes.length, saidNameLength = name.length } of parts) {
		const head = Buffer.alloc(4 + name.length + 8);
		head.writeUInt32LE(saidNameLength, 0);
		name.copy(head, 4);
		head.writeDoubleLE(saidLength, 4 + name.length);
		pieces.push(head, bytes);
	}
	return Buffer.concat(pieces);
}

/** Whether it has chunks that can be changed, by its content: it may have been renamed. */
export function hasChunks({ bytes }: Part): boolean {
	return isChunk(bytes);
}

/** The chunks of a journal, heads included; of one that was changed already the last may be what is no chunk. */
export function chunksOf(journal: Buffer): Buffer[] {
	const chunks: Buffer[] = [];
	let rest = journal;
	while (isChunk(rest)) {
		const length = CHUNK_HEADER_BYTES + rest.readUInt32LE(CHUNK_FIELDS.length);
		chunks.push(rest.subarray(0, length));
		rest = rest.subarray(length);
	}
	if (rest.length > 0) chunks.push(rest);
	return chunks;
}

export function isChunk(bytes: Buffer): boolean {
	return bytes.length >= CHUNK_HEADER_BYTES && bytes.readUInt32LE(0) === MAGIC;
}

/** A chunk with another payload, whose head says so. */
export function withPayload(chunk: Buffer, payload: Buffer): Buffer {
	const changed = Buffer.concat([chunk.subarray(0, CHUNK_HEADER_BYTES), payload]);
	changed.writeUInt32LE(payload.length, CHUNK_FIELDS.length);
	return signed(changed);
}

/** The same chunk with a checksum that holds: a stranger can compute it as well as the tracer. */
export function signed(chunk: Buffer): Buffer {
	const copy = Buffer.from(chunk);
	copy.writeUInt32LE(checksum(copy, CHUNK_HEADER_BYTES, copy.length, checksum(copy, 4, 36)), 36);
	return copy;
}
