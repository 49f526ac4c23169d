// The texts of the files that a report names.
import { readFile } from 'node:fs/promises';
import { factsByFile } from '../../protocol/line-facts.ts';
import type { Report } from '../../protocol/report.ts';

/** A longer file is not a text that a person edits, but a bundle; in UTF-16 code units. */
const MOST_LENGTH = 2 ** 20;

/**
 * The texts of the files whose lines the report names, by path; without those that cannot be read.
 * @param ran returns a text as it ran, where it was kept: the file may have been edited since
 */
export async function sourceTexts(
	report: Report,
	ran: (file: string) => string | undefined = () => undefined,
): Promise<Map<string, string>> {
	const texts = await Promise.all(
		[...filesOf(report)].map(async (file) => [file, ran(file) ?? (await textOf(file))] as const),
	);
	return new Map(texts.filter((each): each is [string, string] => each[1] !== null && each[1].length <= MOST_LENGTH));
}

/**
 * The files of its lines, and those of the user's functions that ran in blocks: their lines are searched for in the
 * text.
 */
function filesOf(report: Report): Set<string> {
	const files = new Set(factsByFile(report).keys());
	for (const { culprits } of report.loops.flatMap((loop) => loop.blocks)) {
		for (const { file, isLibrary, calledFrom } of culprits) {
			if (!isLibrary) files.add(file);
			if (calledFrom !== null) files.add(calledFrom.file);
		}
	}
	return files;
}

/** The text of a file, null when it cannot be read: a source that a map names need not exist. */
export async function textOf(file: string): Promise<string | null> {
	try {
		return await readFile(file, 'utf8');
	} catch {
		return null;
	}
}
