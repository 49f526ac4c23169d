// The parts of a recording of version 2, whose blocks recording-blocks.ts describes. Nothing is unpacked before it is
// asked for.
import { BLOCK_MAGIC, type BlockHead, headAt, isBlock, unpack } from './recording-blocks.ts';
import type { RecordingPart } from './recording-part.ts';

interface PackedBlock extends BlockHead {
	/** Where it begins in the file, and where what follows it does. */
	at: number;
	next: number;
	packed: Buffer;
	/** Whether the file ends before its packed bytes do. */
	isCut: boolean;
}

export class PackedPart implements RecordingPart {
	readonly name: string;
	/** Bytes of its content, as far as there are blocks. */
	length = 0;
	missing = 0;
	unreadable = 0;
	/** Where in the file its blocks are; others may lie between them. */
	from = Infinity;
	to = 0;
	private readonly blocks: PackedBlock[] = [];
	/** Bytes that each block turned out to contain. */
	private contents: number[] = [];
	/** Content bytes that its last block says are still to come. */
	private left = Infinity;

	constructor(name: string) {
		this.name = name;
	}

	/** Adds the next block; false when it comes again. */
	add(block: PackedBlock): boolean {
		if (block.left > this.left || (block.left === 0 && this.left === 0)) return false;
		this.blocks.push(block);
		this.from = Math.min(this.from, block.at);
		this.to = block.next;
		this.length += block.length;
		this.left = block.left - block.length;
		return true;
	}

	*pieces(): Generator<Uint8Array> {
		this.missing = this.left;
		this.unreadable = 0;
		this.contents = [];
		for (const { packed, length, isCut } of this.blocks) {
			const content = unpack(packed, length);
			if (isCut) this.missing += length - content.length;
			else this.unreadable += length - content.length;
			this.contents.push(content.length);
			if (content.length > 0) yield content;
		}
	}

	slice(from: number, to: number): Uint8Array {
		return this.unpacked(from, to, this.contents)!;
	}

	seek(from: number, to: number): Uint8Array | null {
		return this.unpacked(
			from,
			to,
			this.blocks.map(({ length }) => length),
		);
	}

	/** @param contents bytes that each block contains; null where one that is unpacked does not */
	private unpacked(from: number, to: number, contents: readonly number[]): Uint8Array | null {
		const taken: Uint8Array[] = [];
		let begin = 0;
		for (const [index, contained] of contents.entries()) {
			const end = begin + contained;
			if (end > from && begin < to) {
				const { packed, length } = this.blocks[index]!;
				const content = unpack(packed, length);
				if (content.length !== contained) return null;
				taken.push(content.subarray(Math.max(0, from - begin), to - begin));
			}
			begin = end;
		}
		return Buffer.concat(taken);
	}
}

/** The parts in the order of their first blocks, and how many bytes of the file belong to none. */
export function packedParts(bytes: Buffer): { parts: PackedPart[]; unreadable: number } {
	const parts = new Map<string, PackedPart>();
	let unreadable = 0;
	for (let at = 0; at < bytes.length; ) {
		const head = headAt(bytes, at);
		if (head === null) {
			const next = nextBlock(bytes, at + 1);
			unreadable += next - at;
			at = next;
			continue;
		}
		const { name, from, end } = head;
		// A damaged length leads anywhere; the packed bytes themselves show where they end.
		const next = end === bytes.length || isBlock(bytes, end) ? end : nextBlock(bytes, from);
		const packed = bytes.subarray(from, next);
		const part = parts.get(name) ?? new PackedPart(name);
		parts.set(name, part);
		if (!part.add({ ...head, at, next, packed, isCut: end > bytes.length })) unreadable += next - at;
		else if (end < next) unreadable += next - end;
		at = next;
	}
	return { parts: [...parts.values()], unreadable };
}

/** Where the next block begins, at `from` or behind it; the end of the file when there is none. */
function nextBlock(bytes: Buffer, from: number): number {
	const found = bytes.indexOf(BLOCK_MAGIC, from);
	return found < 0 ? bytes.length : found;
}
