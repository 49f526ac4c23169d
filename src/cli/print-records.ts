// `waitline records`: what the tracer wrote, one record a line, for those who work on Waitline or want to know where a
// figure comes from.
import { JournalReader } from '../engine/journal/journal-reader.ts';
import { recordList } from '../engine/journal/record-list.ts';
import { PlainError } from '../host/common/plain-error.ts';
import { readRecording } from '../host/recordings/recording-file.ts';
import { counted } from '../protocol/units.ts';
import { visibleText } from '../protocol/visible-text.ts';
import type { RecordsCommand } from './command-line.ts';

/** A recording that could not be read completely; what could be read has been printed. */
class DamagedRecording extends PlainError {}

/** @throws NotARecording, DamagedRecording */
export async function printRecords({ file }: RecordsCommand): Promise<void> {
	const { journals, unreadable } = await readRecording(file);
	let lost = 0;
	let bytes = unreadable;
	for (const journal of journals) {
		let lines: string[] = [];
		const reader = new JournalReader(recordList((line) => lines.push(line)));
		// As text, a recording may be larger than memory.
		for (const piece of journal.pieces()) {
			reader.push(piece);
			if (!(await print(lines))) return;
			lines = [];
		}
		reader.finish();
		if (!(await print(lines))) return;
		lost += reader.lost;
		bytes += reader.skippedBytes + journal.missing + journal.unreadable;
	}
	if (lost > 0 || bytes > 0) {
		throw new DamagedRecording(
			`Not all of ${visibleText(file)} can be read: ${counted(lost, 'record')} lost, ${counted(bytes, 'byte')} damaged or missing.`,
		);
	}
}

/** Prints lines as fast as they are read; false when the reader has closed the stream. */
async function print(lines: readonly string[]): Promise<boolean> {
	const { stdout } = process;
	if (lines.length > 0 && !stdout.write(`${lines.join('\n')}\n`)) {
		await new Promise<void>((resolve) => {
			const go = () => {
				stdout.off('drain', go).off('close', go);
				resolve();
			};
			stdout.on('drain', go).on('close', go);
		});
	}
	return !stdout.destroyed;
}
