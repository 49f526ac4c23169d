// A `.waitline` file: the journals of one session, one after the other.
//
//   8 bytes  `WAITLIN1`
//   then for each journal: u32 length of its name, the name in UTF-8, f64 length of its bytes, the bytes (little endian)
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { JOURNAL_SUFFIX } from '../protocol/journal.ts';
import { plainCause } from './plain-error.ts';

const SIGNATURE = Buffer.from('WAITLIN1', 'latin1');
/** Longest file name on the systems Node runs on. */
const NAME_BYTES = 255;

export interface Entry {
	name: string;
	bytes: Uint8Array;
}

/** A file that cannot be read as a recording; `message` is a sentence for the user. */
export class NotARecording extends Error {}

/** Writes the journals of a folder into one file. @throws what the file system says */
export async function writeRecording(file: string, folder: string, journals: readonly string[]): Promise<void> {
	const target = await open(file, 'w', 0o600);
	try {
		await target.write(SIGNATURE);
		for (const journal of journals) {
			const bytes = await readFile(path.join(folder, journal));
			const name = Buffer.from(journal);
			const head = Buffer.alloc(4 + name.length + 8);
			head.writeUInt32LE(name.length, 0);
			name.copy(head, 4);
			head.writeDoubleLE(bytes.length, 4 + name.length);
			await target.write(head);
			await target.write(bytes);
		}
	} finally {
		await target.close();
	}
}

/**
 * The journals of a recording. One that was cut off is handed over as far as it goes.
 * @throws NotARecording when the file is missing or something else
 */
export async function readRecording(file: string): Promise<Entry[]> {
	let bytes: Buffer;
	try {
		bytes = await readFile(file);
	} catch (error) {
		throw new NotARecording(`Cannot read ${file}: ${plainCause(error)}.`);
	}
	if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
		throw new NotARecording(`${file} is not a Waitline recording; name a file that 'waitline run --out' has written.`);
	}
	const entries: Entry[] = [];
	let at = SIGNATURE.length;
	while (at + 4 <= bytes.length) {
		const nameLength = bytes.readUInt32LE(at);
		const from = at + 4 + nameLength + 8;
		if (nameLength > NAME_BYTES || from > bytes.length) break;
		const name = bytes.toString('utf8', at + 4, at + 4 + nameLength);
		const length = bytes.readDoubleLE(from - 8);
		if (!name.endsWith(JOURNAL_SUFFIX) || !(length >= 0)) break;
		entries.push({ name, bytes: bytes.subarray(from, from + length) });
		at = from + length;
	}
	if (entries.length === 0 && bytes.length > SIGNATURE.length) {
		throw new NotARecording(`${file} is damaged at its beginning; nothing of it can be read.`);
	}
	return entries;
}
