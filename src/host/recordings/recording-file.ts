// A `.waitline` file: the journals of one session, what a debugger did meanwhile, and the sources that its report names,
// so that an editor can find out which lines were edited since.
//
//   8 bytes  `WAITLIN2`, and blocks of packed bytes (recording-blocks.ts); in older files `WAITLIN1`, and plain parts
//            (plain-parts.ts)
//
// The parts `pauses.json` and `async-stacks.json`, arrays of { pid, from, to } in µs of hrtime, `other-paths.json`, an
// object of paths by path, `machine.json`, an object with the number of processors, and `sources.json`, one of texts by
// path, come first; then journals; then `timeline.index` (recording-index.ts), where there is one, and `summary.json` is the last
// one (recording-summary.ts).
import { open } from 'node:fs/promises';
import type { DebuggerStretch } from '../../engine/clocks/debugger-stretch.ts';
import { isKill, type Kill } from '../../engine/threads/kill.ts';
import { PlainError, plainCause } from '../common/plain-error.ts';
import { type PackedPart, packedParts } from './packed-parts.ts';
import { takePlainParts } from './plain-parts.ts';
import { bytesOfPart, type RecordingPart } from './recording-part.ts';
import type { SessionNotes } from './session-notes.ts';

export const SIGNATURE = Buffer.from('WAITLIN2', 'latin1');
const PLAIN_SIGNATURE = Buffer.from('WAITLIN1', 'latin1');
/** The names that tracers give to their journals (tracer/journal/thread.ts): process, thread, and when it began in µs of hrtime. */
const JOURNAL_NAME = /^\d{1,10}\.\d{1,10}\.\d{1,16}\.journal$/;
/**
 * What a file may unpack to, in bytes: this much for each of its own, and a constant for small ones. Journals pack to a half
 * or a fifth, source texts to a quarter; a file beyond this was made to fill memory and time.
 */
const MOST_TIMES = 64;
const MOST_BYTES = 16 * 2 ** 20;

/** More processors than any machine has. */
const MOST_CORES = 65_536;

export const PAUSES_NAME = 'pauses.json';
export const ASYNC_STACKS_NAME = 'async-stacks.json';
export const OTHER_PATHS_NAME = 'other-paths.json';
export const MACHINE_NAME = 'machine.json';
export const KILLS_NAME = 'kills.json';
export const SOURCES_NAME = 'sources.json';
export const INDEX_NAME = 'timeline.index';
export const SUMMARY_NAME = 'summary.json';

/** The content of a recording. */
export interface Recording extends SessionNotes {
	journals: RecordingPart[];
	otherPaths: Map<string, string>;
	kills: Map<number, Kill>;
	/** Texts of files, by path. */
	sources: Map<string, string>;
	/** What says where in the journals which time is, which need not be true; null where there is none. */
	index: RecordingPart | null;
	/** What says what reading the rest gives, which need not be true; null where the file does not end with one. */
	summary: { part: RecordingPart /** Everything before it, but the signature. */; before: Buffer } | null;
	/** Bytes that make no sense where they are; those within journals are counted by their parts. */
	unreadable: number;
}

/** A file that cannot be read as a recording; `message` is a sentence for the user of the command line. */
export class NotARecording extends PlainError {
	readonly reason: 'unreadable' | 'foreign' | 'damaged' | 'oversized';

	constructor(reason: NotARecording['reason'], message: string) {
		super(message);
		this.reason = reason;
	}
}

/**
 * The parts of a recording. A part that was cut off or damaged is returned as far as it is readable.
 * @throws NotARecording when the file is missing or is no recording
 */
export async function readRecording(file: string): Promise<Recording> {
	return parse(await readBytes(file), file);
}

/** The same for the bytes of a file. @param file its name, for the sentences */
export function parseRecording(bytes: Buffer, file: string): Recording {
	const at = SIGNATURE.length;
	return parse({ signature: bytes.subarray(0, at), content: bytes.subarray(at) }, file);
}

interface FileBytes {
	signature: Buffer;
	content: Buffer;
}

/** Of a file that is no recording only the beginning is read, because a device may never end. @throws NotARecording */
async function readBytes(file: string): Promise<FileBytes> {
	try {
		const source = await open(file);
		try {
			const { bytesRead, buffer } = await source.read(Buffer.alloc(SIGNATURE.length), 0, SIGNATURE.length);
			const signature = buffer.subarray(0, bytesRead);
			return { signature, content: isSignature(signature) ? await source.readFile() : Buffer.alloc(0) };
		} finally {
			await source.close();
		}
	} catch (error) {
		throw new NotARecording('unreadable', `Cannot read ${file}: ${plainCause(error)}.`);
	}
}

function isSignature(bytes: Buffer): boolean {
	return bytes.equals(SIGNATURE) || bytes.equals(PLAIN_SIGNATURE);
}

/** @throws NotARecording */
function parse({ signature, content }: FileBytes, file: string): Recording {
	if (!isSignature(signature)) {
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
		cores: null,
		kills: new Map(),
		index: null,
		summary: null,
		unreadable: 0,
	};
	if (signature.equals(PLAIN_SIGNATURE))
		recording.unreadable = takePlainParts(content, (part) => take(recording, part));
	else takePackedParts(content, recording, file);
	if (recording.journals.length === 0 && content.length > 0) {
		throw new NotARecording('damaged', `${file} is damaged at its beginning and cannot be read.`);
	}
	return recording;
}

/** @throws NotARecording when they would fill memory and time */
function takePackedParts(content: Buffer, recording: Recording, file: string): void {
	const { parts, unreadable } = packedParts(content);
	const unpacked = parts.reduce((sum, { length }) => sum + length, 0);
	if (unpacked > MOST_BYTES + MOST_TIMES * content.length) {
		const times = Math.round(unpacked / content.length);
		throw new NotARecording('oversized', `${file} is not read: it claims to unpack to ${times} times its size.`);
	}
	recording.unreadable = unreadable;
	for (const part of parts) {
		// These two take nothing from the figures when they are damaged.
		if (part.name === SUMMARY_NAME) recording.summary = summaryAtEnd(part, parts, content);
		else if (part.name === INDEX_NAME) recording.index = part;
		else if (!take(recording, part)) recording.unreadable += part.length;
	}
}

/** Null where anything lies behind its begin: nobody knows whether it was made of that too. */
function summaryAtEnd(part: PackedPart, parts: readonly PackedPart[], content: Buffer): Recording['summary'] {
	const isLast = parts.every((each) => each === part || each.to <= part.from) && part.to === content.length;
	return isLast ? { part, before: content.subarray(0, part.from) } : null;
}

/** Adds a part; false when it is none, or not all of it makes sense. */
function take(recording: Recording, part: RecordingPart): boolean {
	const { name } = part;
	if (JOURNAL_NAME.test(name)) return recording.journals.push(part) > 0;
	if (name === PAUSES_NAME) return readStretches(part, recording.pauses);
	if (name === ASYNC_STACKS_NAME) return readStretches(part, recording.asyncStacks);
	if (name === OTHER_PATHS_NAME) return readTexts(part, recording.otherPaths);
	if (name === MACHINE_NAME) return readMachine(part, recording);
	if (name === KILLS_NAME) return readKills(part, recording.kills);
	return name === SOURCES_NAME && readTexts(part, recording.sources);
}

/** Adds the stretches; without them a pause looks like a block. Returns whether all could be read. */
function readStretches(part: RecordingPart, stretches: DebuggerStretch[]): boolean {
	const parsed = jsonOf(part);
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
function readTexts(part: RecordingPart, texts: Map<string, string>): boolean {
	const parsed = jsonOf(part);
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return false;
	const entries = Object.entries(parsed);
	for (const [path, text] of entries) if (typeof text === 'string') texts.set(path, text);
	return texts.size === entries.length;
}

/** Adds what killed processes. Returns whether all could be read. */
function readKills(part: RecordingPart, kills: Map<number, Kill>): boolean {
	const texts = new Map<string, string>();
	const isWhole = readTexts(part, texts);
	for (const [pid, by] of texts) if (isId(Number(pid)) && isKill(by)) kills.set(Number(pid), by);
	return isWhole && kills.size === texts.size;
}

/** Returns whether it is understood. */
function readMachine(part: RecordingPart, recording: Recording): boolean {
	const { cores } = (jsonOf(part) ?? {}) as Record<string, unknown>;
	if (!isId(cores) || cores === 0 || cores > MOST_CORES) return false;
	recording.cores = cores;
	return true;
}

function isId(value: unknown): value is number {
	return Number.isInteger(value) && (value as number) >= 0;
}

/** A time of hrtime, in µs, which need not be whole. */
function isTime(value: unknown): value is number {
	return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

/** Undefined when the part is damaged. */
function jsonOf(part: RecordingPart): unknown {
	try {
		return JSON.parse(bytesOfPart(part).toString());
	} catch {
		return undefined;
	}
}
