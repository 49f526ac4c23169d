// Writes the recording of a session (recording-file.ts has the format). A journal is read, packed and written piece by
// piece: it may be larger than the memory that the editor can spare.
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { DebuggerStretch } from '../engine/debugger-stretch.ts';
import { packBlock } from './recording-blocks.ts';
import {
	ASYNC_STACKS_NAME,
	KILLS_NAME,
	MACHINE_NAME,
	OTHER_PATHS_NAME,
	PAUSES_NAME,
	SIGNATURE,
	SOURCES_NAME,
} from './recording-file.ts';
import { PIECE_BYTES } from './recording-part.ts';
import type { SessionNotes } from './session-notes.ts';

/** Writes the journals of a folder into one file. @throws the file system's errors */
export async function writeRecording(
	file: string,
	folder: string,
	journals: readonly string[],
	{ pauses, asyncStacks, otherPaths, cores, kills }: SessionNotes,
	sources: ReadonlyMap<string, string>,
): Promise<void> {
	const target = await open(file, 'w', 0o600);
	try {
		await target.write(SIGNATURE);
		await writeStretches(target, PAUSES_NAME, pauses);
		await writeStretches(target, ASYNC_STACKS_NAME, asyncStacks);
		await writeTexts(target, OTHER_PATHS_NAME, otherPaths);
		if (cores !== null) await writeBytes(target, MACHINE_NAME, Buffer.from(JSON.stringify({ cores })));
		await writeTexts(target, KILLS_NAME, kills);
		await writeTexts(target, SOURCES_NAME, sources);
		for (const journal of journals) await writeJournal(target, journal, path.join(folder, journal));
	} finally {
		await target.close();
	}
}

/** Adds journals of a folder to a recording that has none of them. @throws the file system's errors */
export async function appendJournals(file: string, folder: string, journals: readonly string[]): Promise<void> {
	const target = await open(file, 'a');
	try {
		for (const journal of journals) await writeJournal(target, journal, path.join(folder, journal));
	} finally {
		await target.close();
	}
}

async function writeStretches(target: FileHandle, name: string, stretches: DebuggerStretch[]): Promise<void> {
	if (stretches.length > 0) await writeBytes(target, name, Buffer.from(JSON.stringify(stretches)));
}

async function writeTexts(
	target: FileHandle,
	name: string,
	texts: ReadonlyMap<number | string, string>,
): Promise<void> {
	if (texts.size > 0) await writeBytes(target, name, Buffer.from(JSON.stringify(Object.fromEntries(texts))));
}

async function writeBytes(target: FileHandle, name: string, bytes: Buffer): Promise<void> {
	await writeBlocks(target, name, bytes.length, async (at, end) => bytes.subarray(at, end));
}

/** Writes a journal as long as it is now: its program may go on writing, or make it shorter. */
async function writeJournal(target: FileHandle, name: string, file: string): Promise<void> {
	const source = await open(file);
	try {
		const { size } = await source.stat();
		await writeBlocks(target, name, size, async (at, end) => {
			const piece = Buffer.allocUnsafe(end - at);
			const { bytesRead } = await source.read(piece, 0, piece.length, at);
			return piece.subarray(0, bytesRead);
		});
	} finally {
		await source.close();
	}
}

/**
 * @param length in bytes
 * @param piece the bytes of a stretch, or fewer where there are no more
 */
async function writeBlocks(
	target: FileHandle,
	name: string,
	length: number,
	piece: (at: number, end: number) => Promise<Buffer>,
): Promise<void> {
	let at = 0;
	do {
		const end = Math.min(at + PIECE_BYTES, length);
		await target.writev(await packBlock(name, await piece(at, end), length - at));
		at = end;
	} while (at < length);
}
