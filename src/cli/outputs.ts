// Files that the CLI is asked to write. They are tried before the program runs: a path that cannot be written is
// reported at once, not after a long run. Their content is replaced only when there is something to write.
import { open, rm, stat, writeFile } from 'node:fs/promises';
import { PlainError, plainCause } from '../host/plain-error.ts';
import type { Report } from '../protocol/report.ts';
import { visibleJson } from '../protocol/visible-text.ts';

/** An output that cannot be written; `message` is a sentence for the user. */
export class OutputError extends PlainError {}

/** Makes sure that a file can be written; null needs nothing. @throws OutputError */
export async function tryOutput(file: string | null): Promise<void> {
	if (file === null) return;
	const isNew = (await stat(file).catch(() => null)) === null;
	try {
		await (await open(file, 'a')).close();
	} catch (error) {
		throw new OutputError(`Cannot write ${file}: ${isNew ? causeOfNew(error) : plainCause(error)}.`);
	}
	if (isNew) await rm(file);
}

/** Writes the report as JSON; the file may be a terminal, such as `/dev/stdout`. */
export async function writeJson(file: string | null, report: Report): Promise<void> {
	if (file !== null) await writeFile(file, `${visibleJson(report, 2)}\n`);
}

/** For a new file, "does not exist" can only mean its folder. */
function causeOfNew(error: unknown): string {
	return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'its folder does not exist' : plainCause(error);
}
