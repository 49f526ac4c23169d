// Files that the CLI is asked to write. They are opened before the program runs: a path that cannot be written is said at
// once, not after a long run.
import { type FileHandle, open } from 'node:fs/promises';
import type { Report } from '../protocol/report.ts';

/** An output that cannot be written; `message` is a sentence for the user. */
export class OutputError extends Error {}

/** Opens a file for writing; null stays null. @throws OutputError */
export async function openOutput(file: string | null): Promise<FileHandle | null> {
	if (file === null) return null;
	try {
		return await open(file, 'w');
	} catch (error) {
		throw new OutputError(`Cannot write ${file}: ${(error as Error).message}.`);
	}
}

/** Writes the report as JSON and closes the file. */
export async function writeJson(output: FileHandle | null, report: Report): Promise<void> {
	if (output === null) return;
	await output.writeFile(`${JSON.stringify(report, null, 2)}\n`);
	await output.close();
}
