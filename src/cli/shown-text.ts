// The program's text beside the figures.
import { readFileSync } from 'node:fs';
import { visibleCode } from '../protocol/visible-text.ts';

/** The text of a source file that is shown. */
export interface ShownText {
	text: string;
	/** The recording lacks it: this is the file on the reader's disk, which may differ from what ran. */
	isFromDisk: boolean;
}

/** Follows the name of a file whose text the recording lacks. */
export const FROM_DISK = ' (from your disk)';

/** The text of a file of the report, null where it cannot be shown. */
export type TextOf = (file: string) => ShownText | null;

/** The file as it is now, for a program that has just run here. */
export function readNow(file: string): ShownText | null {
	try {
		return { text: readFileSync(file, 'utf8'), isFromDisk: false };
	} catch {
		// A source that a map names need not exist, and a file may be gone: the figures are shown without the text.
		return null;
	}
}

/** Its lines. */
export function linesOf(shown: ShownText | null): string[] {
	// Some files of Windows begin with a byte order mark, which is no part of the text.
	return shown?.text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/) ?? [];
}

/** A line as it is shown. */
export function shownCode(line: string): string {
	return visibleCode(line).replaceAll('\t', '  ');
}
