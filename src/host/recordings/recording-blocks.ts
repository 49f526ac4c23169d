// The blocks of which a recording of version 2 consists. Each is packed by itself and names its part, so that a damaged
// block costs no other, and a file that was cut off can be read up to the cut.
//
//   u32  magic
//   u32  length of the part's name in bytes
//   u32  length of the packed bytes
//   f64  content bytes of the part from this block on, this one's included
//   the name in UTF-8, and the packed bytes (brotli, with a window of 64 KiB); numbers are little endian
//
// A block has PIECE_BYTES of content; the last one of its part has the rest, which may be nothing.
//
// Brotli, because every Node that Waitline runs on has it: zstd packs these bytes twice as fast and no smaller, but Node
// 18, 20 and the extension hosts of VS Code lack it. Of brotli's qualities 2 is where it gets expensive
// (docs/recordings.md has the figures).
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';
import { NAME_BYTES, PART_BYTES, PIECE_BYTES } from './recording-part.ts';

const pack = promisify(brotliCompress);
const QUALITY = 2;
/**
 * The window, as a power of two: a block's content. Brotli reserves the window that packed bytes ask for before it unpacks them,
 * up to 16 MiB, which takes 15 ms, so a small file of many blocks could take minutes. Others are not unpacked.
 */
const WINDOW_BITS = 16;

/** Bytes `WLB` and the version 2. */
export const BLOCK_MAGIC = Buffer.from('WLB\x02', 'latin1');
const HEAD_BYTES = 20;
const NOTHING = new Uint8Array(0);

/** What the head of a block says. */
export interface BlockHead {
	name: string;
	/** Content bytes of the part from this block on. */
	left: number;
	/** Content bytes of this block. */
	length: number;
	/** Where its packed bytes begin, and should end, in the file. */
	from: number;
	end: number;
}

/**
 * The bytes of a block in a file.
 * @param left content bytes of the part from this block on, this one's included
 */
export async function packBlock(name: string, content: Uint8Array, left: number): Promise<Uint8Array[]> {
	const packed = await pack(content, {
		params: {
			[constants.BROTLI_PARAM_QUALITY]: QUALITY,
			[constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
			[constants.BROTLI_PARAM_SIZE_HINT]: content.length,
		},
	});
	const nameBytes = Buffer.from(name);
	const head = Buffer.alloc(HEAD_BYTES);
	BLOCK_MAGIC.copy(head);
	head.writeUInt32LE(nameBytes.length, 4);
	head.writeUInt32LE(packed.length, 8);
	head.writeDoubleLE(left, 12);
	return [head, nameBytes, packed];
}

/** The head of the block at `at`; null when there is none, or it makes no sense or is cut off. */
export function headAt(bytes: Buffer, at: number): BlockHead | null {
	if (!isBlock(bytes, at) || at + HEAD_BYTES > bytes.length) return null;
	const nameLength = bytes.readUInt32LE(at + 4);
	const left = bytes.readDoubleLE(at + 12);
	const from = at + HEAD_BYTES + nameLength;
	if (nameLength > NAME_BYTES || from > bytes.length) return null;
	if (!Number.isInteger(left) || left < 0 || left > PART_BYTES) return null;
	const name = bytes.toString('utf8', at + HEAD_BYTES, from);
	return { name, left, length: Math.min(left, PIECE_BYTES), from, end: from + bytes.readUInt32LE(at + 8) };
}

export function isBlock(bytes: Buffer, at: number): boolean {
	return bytes.subarray(at, at + BLOCK_MAGIC.length).equals(BLOCK_MAGIC);
}

/**
 * The content of a block, or as much of it as its packed bytes give when they were cut off; nothing when they are damaged.
 * @param length of the content, in bytes: what would become longer is damaged
 */
export function unpack(packed: Buffer, length: number): Uint8Array {
	if (length === 0 || !hasOurWindow(packed)) return NOTHING;
	const chunkSize = Math.max(constants.Z_MIN_CHUNK, length);
	try {
		return brotliDecompressSync(packed, {
			maxOutputLength: length,
			chunkSize,
			finishFlush: constants.BROTLI_OPERATION_FLUSH,
		});
	} catch {
		return NOTHING;
	}
}

/** Brotli's packed bytes begin with their window, for which a bit of 0 stands for ours (RFC 7932, 9.1). */
function hasOurWindow(packed: Buffer): boolean {
	return packed.length > 0 && (packed[0]! & 1) === 0;
}
