// Writes the recording of a session (recording-file.ts has the format). A journal is read, packed and written piece by
// piece: it may be larger than the memory that the editor can spare.
import { type FileHandle, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DebuggerStretch } from '../../engine/clocks/debugger-stretch.ts';
import type { CarriedSummary } from '../../protocol/summary.ts';
import { packBlock } from './recording-blocks.ts';
import {
	ASYNC_STACKS_NAME,
	INDEX_NAME,
	KILLS_NAME,
	MACHINE_NAME,
	OTHER_PATHS_NAME,
	PAUSES_NAME,
	SIGNATURE,
	SOURCES_NAME,
	SUMMARY_NAME,
} from './recording-file.ts';
import { PIECE_BYTES } from './recording-part.ts';
import type { SessionNotes } from './session-notes.ts';
import { hashOfRest, summaryBytes } from './summary-bytes.ts';

/**
 * Writes the journals of a folder into one file.
 * @param carried of the session; null where reading the journals may give something else
 * @throws the file system's errors
 */
export async function writeRecording(
	file: string,
	folder: string,
	journals: readonly string[],
	{ pauses, asyncStacks, otherPaths, cores, kills }: SessionNotes,
	sources: ReadonlyMap<string, string>,
	carried: CarriedSummary | null,
): Promise<void> {
	const handle = await open(file, 'w', 0o600);
	try {
		await handle.write(SIGNATURE);
		const target = new BlockFile(handle);
		await writeStretches(target, PAUSES_NAME, pauses);
		await writeStretches(target, ASYNC_STACKS_NAME, asyncStacks);
		await writeTexts(target, OTHER_PATHS_NAME, otherPaths);
		if (cores !== null) await target.write(MACHINE_NAME, Buffer.from(JSON.stringify({ cores })));
		await writeTexts(target, KILLS_NAME, kills);
		await writeTexts(target, SOURCES_NAME, sources);
		await writeEnd(target, folder, journals, carried);
	} finally {
		await handle.close();
	}
}

/**
 * Adds journals of a folder to a recording that has none of them, and no summary.
 * @param carried as for `writeRecording`
 * @throws the file system's errors
 */
export async function appendJournals(
	file: string,
	folder: string,
	journals: readonly string[],
	carried: CarriedSummary | null,
): Promise<void> {
	const handle = await open(file, 'a');
	try {
		const target = new BlockFile(handle);
		target.hash.update((await readFile(file)).subarray(SIGNATURE.length));
		await writeEnd(target, folder, journals, carried);
	} finally {
		await handle.close();
	}
}

/** A file to whose end blocks are written. */
class BlockFile {
	/** Of what is in it. */
	readonly hash = hashOfRest();
	private readonly handle: FileHandle;

	constructor(handle: FileHandle) {
		this.handle = handle;
	}

	/** Writes a whole part. */
	async write(name: string, bytes: Buffer): Promise<void> {
		await this.writePieces(name, bytes.length, async (at, end) => bytes.subarray(at, end));
	}

	/**
	 * Writes a part piece by piece.
	 * @param length in bytes
	 * @param piece the bytes of a stretch, or fewer where there are no more
	 */
	async writePieces(name: string, length: number, piece: (at: number, end: number) => Promise<Buffer>): Promise<void> {
		let at = 0;
		do {
			const end = Math.min(at + PIECE_BYTES, length);
			const block = await packBlock(name, await piece(at, end), length - at);
			for (const bytes of block) this.hash.update(bytes);
			await this.handle.writev(block);
			at = end;
		} while (at < length);
	}
}

async function writeEnd(
	target: BlockFile,
	folder: string,
	journals: readonly string[],
	carried: CarriedSummary | null,
): Promise<void> {
	for (const journal of journals) await writeJournal(target, journal, path.join(folder, journal));
	if (carried === null) return;
	const { summary, index } = carried;
	if (index !== null) await target.write(INDEX_NAME, Buffer.from(index.buffer, index.byteOffset, index.byteLength));
	await target.write(SUMMARY_NAME, summaryBytes(summary, target.hash.copy().digest('hex')));
}

async function writeStretches(target: BlockFile, name: string, stretches: DebuggerStretch[]): Promise<void> {
	if (stretches.length > 0) await target.write(name, Buffer.from(JSON.stringify(stretches)));
}

async function writeTexts(target: BlockFile, name: string, texts: ReadonlyMap<number | string, string>): Promise<void> {
	if (texts.size > 0) await target.write(name, Buffer.from(JSON.stringify(Object.fromEntries(texts))));
}

/** Writes a journal as long as it is now: its program may go on writing, or make it shorter. */
async function writeJournal(target: BlockFile, name: string, file: string): Promise<void> {
	const source = await open(file);
	try {
		const { size } = await source.stat();
		await target.writePieces(name, size, async (at, end) => {
			const piece = Buffer.allocUnsafe(end - at);
			const { bytesRead } = await source.read(piece, 0, piece.length, at);
			return piece.subarray(0, bytesRead);
		});
	} finally {
		await source.close();
	}
}
