// The shown session of a window that closes or reloads, kept on disk for the window that comes after it in the same workspace.
//
// A session's folder then contains, beside its journals,
//   head.waitline   a recording of what the session knew beside its journals (recording-file.ts)
//   summary.json    what it showed, for the recording's end, where every program of it had ended
//   timeline.index  where in its journals which time is, for the same, where they are long
//   kept.json       its name, its times, which journals are its own, and whether a window has it: written last, so that all of it is there by then
//
// A window that took it over and is killed, or has no time to let go of it, leaves it to the next one as well.
//
// The window that closes has a few seconds (VS Code ends its host then), so it leaves the journals as they are. The window that comes after adds
// them to that recording, which is session.waitline from then on, and reads it like any other.
import { access, copyFile, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CarriedSummary, SessionSummary } from '../../protocol/summary.ts';
import type { SessionNotes } from '../recordings/session-notes.ts';
import { summaryText } from '../recordings/summary-bytes.ts';
import { appendJournals, writeRecording } from '../recordings/write-recording.ts';
import { isAlive } from './journal-folder.ts';
import { KEPT_FILE, makeSessionFolder, ownerPidOf } from './session-storage.ts';

const HEAD_FILE = 'head.waitline';
const SUMMARY_FILE = 'summary.json';
const INDEX_FILE = 'timeline.index';
const RECORDING_FILE = 'session.waitline';

/** How often a new window looks whether the one before has let go of the session, in ms, and for how long: VS Code ends a host after less. */
const LOOK_MS = 100;
const PATIENCE_MS = 10_000;

/** What a session was, beside its records. Times in ms since 1970. */
export interface KeptFacts {
	name: string;
	startedAt: number | null;
	endedAt: number | null;
	/** Whether the person ended its profile while the program ran. */
	isStopped: boolean;
	/** Whether the person removed its annotations. */
	isCleared: boolean;
	/** The launch configuration that it came from, and the URI of its workspace folder. */
	origin: { folder: string | null; configuration: string } | null;
	/** Names of its journals in the folder; none where they are in the recording already. */
	journals: readonly string[];
}

/** What is in kept.json. */
interface KeptFile extends KeptFacts {
	/** Whether the owner of the folder shows it; others may have it when that one has ended. */
	isTaken: boolean;
}

/** A kept session that this process owns from now on. */
export interface ClaimedSession extends KeptFacts {
	folder: string;
	/** The whole recording. */
	recording: string;
}

/**
 * Keeps an ended session whose journals are in its folder.
 * @param carried as for `writeRecording`
 * @throws the file system's errors
 */
export async function keepJournals(
	folder: string,
	facts: KeptFacts,
	notes: SessionNotes,
	sources: ReadonlyMap<string, string>,
	carried: CarriedSummary | null,
): Promise<void> {
	// Its journals come later, and the summary names the hash of all that is before it.
	await writeRecording(path.join(folder, HEAD_FILE), folder, [], notes, sources, null);
	if (carried !== null) await writeFile(path.join(folder, SUMMARY_FILE), summaryText(carried.summary), { mode: 0o600 });
	if (carried?.index) await writeFile(path.join(folder, INDEX_FILE), carried.index, { mode: 0o600 });
	await writeKept(folder, { ...facts, isTaken: false });
}

/** Keeps a claimed session once more. @throws the file system's errors */
export async function keepAgain({ folder, recording, ...facts }: ClaimedSession): Promise<void> {
	await writeKept(folder, { ...facts, isTaken: false });
}

/** Whole or not at all: another window may be waiting for it. */
async function writeKept(folder: string, kept: KeptFile): Promise<void> {
	const file = path.join(folder, KEPT_FILE);
	await writeFile(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
	await rename(`${file}.new`, file);
}

/** Null where there is none. */
async function readKept(folder: string): Promise<KeptFile | null> {
	const file = path.join(folder, KEPT_FILE);
	return (await exists(file)) ? (JSON.parse(await readFile(file, 'utf8')) as KeptFile) : null;
}

/**
 * Takes a kept session over, as soon as the window that had it has let go of it; null when it is gone, or another window has it.
 * @param storage the folder of all sessions
 * @param name of the session's folder in it
 * @throws the file system's errors
 */
export async function claimKept(storage: string, name: string): Promise<ClaimedSession | null> {
	if (!(await isLetGo(path.join(storage, name), ownerPidOf(name)))) return null;
	const folder = await makeSessionFolder(storage);
	// A folder cannot take the place of another one on Windows.
	await rmdir(folder);
	try {
		await rename(path.join(storage, name), folder);
	} catch (error) {
		// Another window was first.
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
		throw error;
	}
	const { isTaken: _, ...facts } = (await readKept(folder))!;
	const recording = await packedIn(folder, facts.journals);
	const packed = { ...facts, journals: [] };
	await writeKept(folder, { ...packed, isTaken: true });
	return { ...packed, folder, recording };
}

/** Waits while its owner lives and has not yet let go. @returns whether it is there to be taken @param owner the id of its process */
async function isLetGo(folder: string, owner: number | undefined): Promise<boolean> {
	if (owner === undefined) return false;
	const until = performance.now() + PATIENCE_MS;
	for (;;) {
		// Asked first: it may let go and end in between.
		const isOwned = isAlive(owner);
		const kept = await readKept(folder);
		if (kept !== null && !(kept.isTaken && isOwned)) return true;
		if (!isOwned || !(await exists(folder)) || performance.now() > until) return false;
		await delay(LOOK_MS);
	}
}

/** Packs the journals, unless that is done; what is interrupted is done again by the next window. */
async function packedIn(folder: string, journals: readonly string[]): Promise<string> {
	const recording = path.join(folder, RECORDING_FILE);
	if (!(await exists(recording))) {
		const unfinished = `${recording}.new`;
		await copyFile(path.join(folder, HEAD_FILE), unfinished);
		await appendJournals(unfinished, folder, journals, await carriedIn(folder));
		await rename(unfinished, recording);
	}
	for (const name of [HEAD_FILE, SUMMARY_FILE, INDEX_FILE, ...journals])
		await rm(path.join(folder, name), { force: true });
	return recording;
}

async function carriedIn(folder: string): Promise<CarriedSummary | null> {
	const [summary, index] = [path.join(folder, SUMMARY_FILE), path.join(folder, INDEX_FILE)];
	if (!(await exists(summary))) return null;
	return {
		summary: JSON.parse(await readFile(summary, 'utf8')) as SessionSummary,
		index: (await exists(index)) ? await readFile(index) : null,
	};
}

async function exists(file: string): Promise<boolean> {
	return access(file).then(
		() => true,
		() => false,
	);
}
