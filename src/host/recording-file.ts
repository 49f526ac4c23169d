// A `.waitline` file: the journals of one session, one after the other, a debugger's pauses, and the sources that its report names, so
// that an editor can tell which lines were edited since.
//
//   8 bytes  `WAITLIN1`
//   then for each part: u32 length of its name, the name in UTF-8, f64 length of its bytes, the bytes (little endian)
//   the parts `pauses.json`, an array of { pid, from, to } in µs of hrtime, and `sources.json`, an object of texts by path, come first
import { type FileHandle, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pause } from '../engine/pause-clock.ts';
import { JOURNAL_SUFFIX } from '../protocol/journal.ts';
import { plainCause } from './plain-error.ts';

const SIGNATURE = Buffer.from('WAITLIN1', 'latin1');
/** Longest file name on the systems Node runs on. */
const NAME_BYTES = 255;

const PAUSES_NAME = 'pauses.json';
const SOURCES_NAME = 'sources.json';

interface Entry {
	name: string;
	bytes: Uint8Array;
	/** Bytes of it that the file does not hold because it was cut off. */
	missing: number;
}

/** What a recording holds. */
export interface Recording {
	journals: Entry[];
	pauses: Pause[];
	/** Texts of files, by path. */
	sources: Map<string, string>;
}

/** A file that cannot be read as a recording; `message` is a sentence for the user of the command line. */
export class NotARecording extends Error {
	readonly reason: 'unreadable' | 'foreign' | 'damaged';

	constructor(reason: NotARecording['reason'], message: string) {
		super(message);
		this.reason = reason;
	}
}

/** Writes the journals of a folder into one file. @throws what the file system says */
export async function writeRecording(
	file: string,
	folder: string,
	journals: readonly string[],
	pauses: readonly Pause[],
	sources: ReadonlyMap<string, string>,
): Promise<void> {
	const target = await open(file, 'w', 0o600);
	try {
		await target.write(SIGNATURE);
		if (pauses.length > 0) await writeEntry(target, PAUSES_NAME, Buffer.from(JSON.stringify(pauses)));
		if (sources.size > 0) {
			await writeEntry(target, SOURCES_NAME, Buffer.from(JSON.stringify(Object.fromEntries(sources))));
		}
		for (const journal of journals) await writeEntry(target, journal, await readFile(path.join(folder, journal)));
	} finally {
		await target.close();
	}
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
 * The parts of a recording. One that was cut off is handed over as far as it goes.
 * @throws NotARecording when the file is missing or something else
 */
export async function readRecording(file: string): Promise<Recording> {
	let bytes: Buffer;
	try {
		bytes = await readFile(file);
	} catch (error) {
		throw new NotARecording('unreadable', `Cannot read ${file}: ${plainCause(error)}.`);
	}
	return parseRecording(bytes, file);
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
			`${file} is not a Waitline recording; name a file that 'waitline run --out' has written.`,
		);
	}
	const journals: Entry[] = [];
	let pauses: Pause[] = [];
	let sources = new Map<string, string>();
	let at = SIGNATURE.length;
	while (at + 4 <= bytes.length) {
		const nameLength = bytes.readUInt32LE(at);
		const from = at + 4 + nameLength + 8;
		if (nameLength > NAME_BYTES || from > bytes.length) break;
		const name = bytes.toString('utf8', at + 4, at + 4 + nameLength);
		const length = bytes.readDoubleLE(from - 8);
		if (!(length >= 0)) break;
		const content = bytes.subarray(from, from + length);
		if (name.endsWith(JOURNAL_SUFFIX)) journals.push({ name, bytes: content, missing: length - content.length });
		else if (name === PAUSES_NAME) pauses = readPauses(content);
		else if (name === SOURCES_NAME) sources = readSources(content);
		else break;
		at = from + length;
	}
	if (journals.length === 0 && bytes.length > SIGNATURE.length) {
		throw new NotARecording('damaged', `${file} is damaged at its beginning; nothing of it can be read.`);
	}
	return { journals, pauses, sources };
}

function readPauses(bytes: Buffer): Pause[] {
	const parsed = parse(bytes);
	// Without them, pauses show as what they look like, blocks.
	if (!Array.isArray(parsed)) return [];
	// JSON has no Infinity: a pause that had not ended is stored as null.
	const pauses = parsed.map((pause: Record<string, unknown> | null) => ({
		pid: Number(pause?.pid),
		from: Number(pause?.from),
		to: pause?.to === null ? Infinity : Number(pause?.to),
	}));
	return pauses.filter(({ pid, from, to }) => pid >= 0 && from >= 0 && to >= from);
}

function readSources(bytes: Buffer): Map<string, string> {
	const texts = Object.entries(parse(bytes) ?? {}).filter(
		(each): each is [string, string] => typeof each[1] === 'string',
	);
	return new Map(texts);
}

/** Undefined when the part is damaged. */
function parse(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString());
	} catch {
		return undefined;
	}
}
