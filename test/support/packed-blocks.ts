// Blocks of a packed recording, written apart from the product's own writer, after the format's description in
// src/host/recordings/recording-blocks.ts, so that each number in a head can be a wrong one.
import { brotliCompressSync, constants } from 'node:zlib';

export const PACKED_SIGNATURE = Buffer.from('WAITLIN2', 'latin1');
export const MAGIC = Buffer.from('WLB\x02', 'latin1');
/** Content bytes of every block but the last one of its part. */
export const BLOCK_BYTES = 64 * 1024;

/** What a head says where that is not the truth. */
export interface Said {
	nameLength?: number;
	/** Length of the packed bytes. */
	length?: number;
	/** Content bytes of the part from this block on. */
	left?: number;
}

/** One block. @param packed the packed bytes, whatever they are */
export function blockOf(name: Buffer | string, packed: Buffer, left: number, said: Said = {}): Buffer {
	const bytes = Buffer.from(name);
	const head = Buffer.alloc(20);
	MAGIC.copy(head);
	head.writeUInt32LE(said.nameLength ?? bytes.length, 4);
	head.writeUInt32LE(said.length ?? packed.length, 8);
	head.writeDoubleLE(said.left ?? left, 12);
	return Buffer.concat([head, bytes, packed]);
}

/** The packed contents of the blocks of a part. */
export function packedContents(content: Buffer): Buffer[] {
	const packed: Buffer[] = [];
	for (let at = 0; at === 0 || at < content.length; at += BLOCK_BYTES) {
		packed.push(pack(content.subarray(at, at + BLOCK_BYTES)));
	}
	return packed;
}

/** @param windowBits a power of two; the format has 16 only */
export function pack(content: Buffer, windowBits = 16): Buffer {
	const params = { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: windowBits };
	return brotliCompressSync(content, { params });
}
