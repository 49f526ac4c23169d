// A `.waitline` file: the journals of one session, one after the other, what a debugger did meanwhile, and the sources
// that its report names, so that an editor can find out which lines were edited since.
//
//   8 bytes  `WAITLIN1`
//   then for each part: u32 length of its name, the name in UTF-8, f64 length of its bytes, the bytes (little endian)
//   the parts `pauses.json` and `async-stacks.json`, arrays of { pid, from, to } in µs of hrtime, `other-paths.json`, an object of paths
//   by path, and `sources.json`, one of texts by path, come first
import { type FileHandle, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DebuggerStretch } from '../engine/debugger-stretch.ts';
import { JOURNAL_SUFFIX } from '../protocol/journal.ts';
import { PlainError, plainCause } from './plain-error.ts';
import type { SessionNotes } from './session-notes.ts';

const SIGNATURE = Buffer.from('WAITLIN1', 'latin1');
/** Longest file name on the systems Node runs on. */
const NAME_BYTES = 255;
/** Longest part: a journal ends at its quota, half of this (QUOTA_BYTES), and no text that V8 can parse is longer. */
const PART_BYTES = 2 ** 30;
/** The names that tracers give to their journals (tracer/journal/thread.ts): process, thread, and when it began in µs of hrtime. */
const JOURNAL_NAME = /^\d{1,10}\.\d{1,10}\.\d{1,16}\.journal$/;
const NAME_AT_END = /\d{1,10}\.\d{1,10}\.\d{1,16}\.journal$/;

const PAUSES_NAME = 'pauses.json';
const ASYNC_STACKS_NAME = 'async-stacks.json';
const OTHER_PATHS_NAME = 'other-paths.json';
const SOURCES_NAME = 'sources.json';
const IS_JSON = /\.json$/;

interface Entry {
	name: string;
	bytes: Uint8Array;
	/** Bytes that are missing from the file because it was cut off. */
	missing: number;
}

/** The content of a recording. */
export interface Recording extends SessionNotes {
	journals: Entry[];
	otherPaths: Map<string, string>;
	/** Texts of files, by path. */
	sources: Map<string, string>;
	/** Bytes that make no sense where they are. */
	unreadable: number;
}

/** A file that cannot be read as a recording; `message` is a sentence for the user of the command line. */
export class NotARecording extends PlainError {
	readonly reason: 'unreadable' | 'foreign' | 'damaged';

	constructor(reason: NotARecording['reason'], message: string) {
		super(message);
		this.reason = reason;
	}
}

/** Writes the journals of a folder into one file. @throws the file system's errors */
export async function writeRecording(
	file: string,
	folder: string,
	journals: readonly string[],
	{ pauses, asyncStacks, otherPaths }: SessionNotes,
	sources: ReadonlyMap<string, string>,
): Promise<void> {
	const target = await open(file, 'w', 0o600);
	try {
		await target.write(SIGNATURE);
		await writeStretches(target, PAUSES_NAME, pauses);
		await writeStretches(target, ASYNC_STACKS_NAME, asyncStacks);
		await writeTexts(target, OTHER_PATHS_NAME, otherPaths);
		await writeTexts(target, SOURCES_NAME, sources);
		for (const journal of journals) await writeEntry(target, journal, await readFile(path.join(folder, journal)));
	} finally {
		await target.close();
	}
}

async function writeStretches(target: FileHandle, entry: string, stretches: DebuggerStretch[]): Promise<void> {
	if (stretches.length > 0) await writeEntry(target, entry, Buffer.from(JSON.stringify(stretches)));
}

async function writeTexts(target: FileHandle, entry: string, texts: ReadonlyMap<string, string>): Promise<void> {
	if (texts.size > 0) await writeEntry(target, entry, Buffer.from(JSON.stringify(Object.fromEntries(texts))));
}

async function writeEntry(target: FileHandle, entry: string, bytes: Buffer): Promise<void> {
	const name = Buffer.from(entry);
	const head = Buffer.alloc(4 + name.length + 8);
	head.writeUInt32LE(name.length, 0);
	name.copy(head, 4);
	head.writeDoubleLE(bytes.length, 4 + name.length);
	await target.write(head);
	await target.write(bytes);
}

/**
 * The parts of a recording. A part that was cut off or damaged is returned as far as it is readable.
 * @throws NotARecording when the file is missing or is no recording
 */
export async function readRecording(file: string): Promise<Recording> {
	return parseRecording(await bytesOf(file), file);
}

/**
 * All bytes of a recording; of any other file only its beginning, because a device may never end.
 * @throws NotARecording
 */
async function bytesOf(file: string): Promise<Buffer> {
	try {
		const source = await open(file);
		try {
			const { bytesRead, buffer } = await source.read(Buffer.alloc(SIGNATURE.length), 0, SIGNATURE.length);
			const begin = buffer.subarray(0, bytesRead);
			return begin.equals(SIGNATURE) ? Buffer.concat([begin, await source.readFile()]) : begin;
		} finally {
			await source.close();
		}
	} catch (error) {
		throw new NotARecording('unreadable', `Cannot read ${file}: ${plainCause(error)}.`);
	}
}

/**
 * The same for the bytes of a file.
 * @param file its name, for the sentences
 * @throws NotARecording
 */
export function parseRecording(bytes: Buffer, file: string): Recording {
	if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
		throw new NotARecording(
			'foreign',
			`${file} is not a Waitline recording. Give a file that 'waitline run --out' has written.`,
		);
	}
	const recording: Recording = {
		journals: [],
		pauses: [],
		asyncStacks: [],
		otherPaths: new Map(),
		sources: new Map(),
		unreadable: 0,
	};
	const seen = new Set<string>();
	let at = SIGNATURE.length;
	while (at < bytes.length) {
		const head = readHead(bytes, at);
		if (head === null) {
			const next = nextJournal(bytes, at + 1);
			recording.unreadable += next - at;
			at = next;
			continue;
		}
		const { name, from, length } = head;
		const content = bytes.subarray(from, from + length);
		at = from + content.length;
		const isKnown = !seen.has(name) && take(recording, name, content, length - content.length);
		// The length of a part that makes no sense may be damaged too, and journals may lie within it.
		if (!isKnown && IS_JSON.test(name)) at = Math.min(at, nextJournal(bytes, from));
		if (!isKnown) recording.unreadable += at - from;
		seen.add(name);
	}
	if (recording.journals.length === 0 && bytes.length > SIGNATURE.length) {
		throw new NotARecording('damaged', `${file} is damaged at its beginning and cannot be read.`);
	}
	return recording;
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

/** Adds a part; false when it is none, or not all of it makes sense. */
function take(recording: Recording, name: string, bytes: Buffer, missing: number): boolean {
	if (JOURNAL_NAME.test(name)) return recording.journals.push({ name, bytes, missing }) > 0;
	if (name === PAUSES_NAME) return readStretches(bytes, recording.pauses);
	if (name === ASYNC_STACKS_NAME) return readStretches(bytes, recording.asyncStacks);
	if (name === OTHER_PATHS_NAME) return readTexts(bytes, recording.otherPaths);
	return name === SOURCES_NAME && readTexts(bytes, recording.sources);
}

/** Adds the stretches; without them a pause looks like a block. Returns whether all could be read. */
function readStretches(bytes: Buffer, stretches: DebuggerStretch[]): boolean {
	const parsed = parse(bytes);
	if (!Array.isArray(parsed)) return false;
	for (const each of parsed as unknown[]) {
		const { pid, from, to } = (each ?? {}) as Record<string, unknown>;
		// JSON has no Infinity: a stretch that had not ended is stored as null.
		const end = to === null ? Infinity : to;
		if (isId(pid) && isTime(from) && (end === Infinity || isTime(end)) && end >= from) {
			stretches.push({ pid, from, to: end });
		}
	}
	return stretches.length === parsed.length;
}

/** Adds the texts. Returns whether all could be read. */
function readTexts(bytes: Buffer, texts: Map<string, string>): boolean {
	const parsed = parse(bytes);
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return false;
	const entries = Object.entries(parsed);
	for (const [path, text] of entries) if (typeof text === 'string') texts.set(path, text);
	return texts.size === entries.length;
}

function isId(value: unknown): value is number {
	return Number.isInteger(value) && (value as number) >= 0;
}

/** A time of hrtime, in µs, which need not be whole. */
function isTime(value: unknown): value is number {
	return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

/** Undefined when the part is damaged. */
function parse(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString());
	} catch {
		return undefined;
	}
}
