// A part of a recording: the bytes of one file of a session's folder, or notes.

export interface RecordingPart {
	readonly name: string;
	/** Bytes that it has, as far as the file says. */
	readonly length: number;
	/** Its bytes in pieces, each unpacked when it is asked for. */
	pieces(): Iterable<Uint8Array>;
	/** Bytes of it, by their places among those that `pieces` gave; only after all of them were taken. */
	slice(from: number, to: number): Uint8Array;
	/** The same without having taken them, by what the file says of its blocks; null where one of those that are unpacked is not as it says. */
	seek(from: number, to: number): Uint8Array | null;
	/** Bytes that the file lacks because it was cut off; known once the last piece was taken. */
	readonly missing: number;
	/** Bytes within it that cannot be unpacked; known once the last piece was taken. */
	readonly unreadable: number;
}

/** Longest part name, in bytes: that of a file on the systems Node runs on. */
export const NAME_BYTES = 255;
/** Longest part: a journal ends at its quota, half of this (QUOTA_BYTES), and no text that V8 can parse is longer. */
export const PART_BYTES = 2 ** 30;
/** Length of a piece: reading a recording takes little memory beside the model, and damage to a packed piece costs little. */
export const PIECE_BYTES = 64 * 1024;

/** All bytes of a part, for one that has to be in memory as a whole. */
export function bytesOfPart(part: RecordingPart): Buffer {
	return Buffer.concat([...part.pieces()]);
}
