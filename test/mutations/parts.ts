// A recording taken apart and put together again, so that mutations can change what stands in it and still be understood: parts of a file,
// its packed blocks, chunks of a journal. Written apart from the reader under test, after the formats' descriptions.
import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { CHUNK_HEADER_BYTES, checksum, MAGIC } from '../../src/protocol/journal.ts';
import {
	BLOCK_BYTES,
	MAGIC as BLOCK_MAGIC,
	blockOf,
	PACKED_SIGNATURE,
	packedContents,
	type Said,
} from '../support/packed-blocks.ts';

const PLAIN_SIGNATURE = Buffer.from('WAITLIN1', 'latin1');

/** One part of a recording file. */
export interface Part {
	name: Buffer;
	/** What its head says of its length, where that is not the truth. */
	saidLength?: number;
	saidNameLength?: number;
	bytes: Buffer;
	/** In the place of its bytes, in a packed recording: an object that says of which file it is the summary, as the product would. */
	sealed?: object;
	/** What else is wrong with a block of it, in a packed recording. */
	damage?: BlockDamage;
}

export interface BlockDamage {
	/** Which block; the last one if there are fewer. */
	index: number;
	said?: Said;
	/** Its packed bytes, given those that it would have. */
	packed?: (packed: Buffer) => Buffer;
	/** How often it comes. */
	times?: number;
}

/** The fields of a chunk's head that can be anything, at their offsets. */
export const CHUNK_FIELDS = { generation: 4, index: 8, length: 12, records: 16, before: 20, dropped: 28 } as const;

/** The parts of an undamaged recording as the product writes it. */
export function partsOf(recording: Buffer): Part[] {
	const contents = new Map<string, Buffer[]>();
	for (let at = PACKED_SIGNATURE.length; at < recording.length; ) {
		const nameAt = at + BLOCK_MAGIC.length + 16;
		const from = nameAt + recording.readUInt32LE(at + 4);
		const end = from + recording.readUInt32LE(at + 8);
		const name = recording.toString('utf8', nameAt, from);
		const pieces = contents.get(name) ?? [];
		pieces.push(brotliDecompressSync(recording.subarray(from, end)));
		contents.set(name, pieces);
		at = end;
	}
	return [...contents].map(([name, pieces]) => ({ name: Buffer.from(name), bytes: Buffer.concat(pieces) }));
}

/** @param isPacked whether it is one of the packed format, or of the plain one of older versions */
export function recordingOf(parts: readonly Part[], isPacked = true): Buffer {
	return isPacked
		? Buffer.concat([PACKED_SIGNATURE, packedParts(parts)])
		: Buffer.concat([PLAIN_SIGNATURE, ...parts.flatMap(plainPart)]);
}

function packedParts(parts: readonly Part[]): Buffer {
	const rest = Buffer.concat(parts.filter(({ sealed }) => sealed === undefined).flatMap(blocksOf));
	const sealed = parts.flatMap(({ sealed, ...part }) => {
		if (sealed === undefined) return [];
		const hash = createHash('sha256').update(rest).digest('hex');
		return blocksOf({ ...part, bytes: rawJson({ ...sealed, rest: hash }) });
	});
	return Buffer.concat([rest, ...sealed]);
}

/** Stands for a piece of JSON that `JSON.stringify` would not write. */
export class RawJson {
	readonly raw: string;
	constructor(raw: string) {
		this.raw = raw;
	}
}

/** A value as JSON, with such pieces in it. */
export function rawJson(value: object): Buffer {
	const raws: string[] = [];
	const text = JSON.stringify(value, (_, each: unknown) =>
		each instanceof RawJson ? `raw ${raws.push(each.raw) - 1}` : each,
	);
	return Buffer.from(text.replace(/"raw (\d+)"/g, (_, index: string) => raws[Number(index)]!));
}

function plainPart({ name, bytes, saidLength = bytes.length, saidNameLength = name.length }: Part): Buffer[] {
	const head = Buffer.alloc(4 + name.length + 8);
	head.writeUInt32LE(saidNameLength, 0);
	name.copy(head, 4);
	head.writeDoubleLE(saidLength, 4 + name.length);
	return [head, bytes];
}

/** Most parts of a mutation are those of the recording that it was made of, and to pack them takes longer than to read them. */
const packedBefore = new WeakMap<Buffer, Buffer[]>();

function packedOf(bytes: Buffer): Buffer[] {
	const packed = packedBefore.get(bytes) ?? packedContents(bytes);
	packedBefore.set(bytes, packed);
	return packed;
}

function blocksOf({ name, bytes, saidLength, saidNameLength, damage }: Part): Buffer[] {
	const all = packedOf(bytes);
	return all.flatMap((packed, index) => {
		const isDamaged = damage !== undefined && index === Math.min(damage.index, all.length - 1);
		const left = bytes.length - index * BLOCK_BYTES;
		const said: Said = {
			...(index === 0 && saidLength !== undefined && { left: saidLength }),
			...(index === 0 && saidNameLength !== undefined && { nameLength: saidNameLength }),
			...(isDamaged && damage.said),
		};
		const block = blockOf(name, isDamaged && damage.packed ? damage.packed(packed) : packed, left, said);
		return Array.from({ length: isDamaged ? (damage.times ?? 1) : 1 }, () => block);
	});
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
