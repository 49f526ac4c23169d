// Files that the CLI is asked to write. They are tried before the program runs: a path that cannot be written is
// reported at once, not after a long run. Their content is replaced only when there is something to write.
import { open, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PlainError, plainCause } from '../host/common/plain-error.ts';
import { visibleJson } from '../protocol/visible-text.ts';

/** An output that cannot be written; `message` is a sentence for the user. */
export class OutputError extends PlainError {}

/** As the name of an output: what this process prints, and nothing else then. */
export const STDOUT = '-';

/** Makes sure that no file is to be written twice, or over one that is read. @throws OutputError */
export async function keepApart(files: readonly (string | null)[]): Promise<void> {
	const seen = new Set<string>();
	for (const file of files) {
		if (file === null || file === STDOUT) continue;
		const known = await realpath(file).catch(() => path.resolve(file));
		if (seen.has(known)) throw new OutputError(`${file} is named twice. Give each file a name of its own.`);
		seen.add(known);
	}
}

/** What a file that is there begins with if it is one of ours: anything else may be the person's only copy. */
const BEGINNINGS = { report: '{', recording: 'WAITLIN' };

/** Makes sure that a file can be written and replaces nothing but one of its kind; null needs nothing. @throws OutputError */
export async function tryOutput(file: string | null, kind: keyof typeof BEGINNINGS): Promise<void> {
	if (file === null || file === STDOUT) return;
	const there = await stat(file).catch(() => null);
	const isNew = there === null;
	if (there?.isFile() && there.size > 0 && !(await beginsWith(file, BEGINNINGS[kind])))
		throw new OutputError(`${file} exists and is not a ${kind}, so it is not replaced. Give another name.`);
	try {
		await (await open(file, 'a')).close();
	} catch (error) {
		throw new OutputError(`Cannot write ${file}: ${isNew ? causeOfNew(error) : plainCause(error)}.`);
	}
	if (isNew) await rm(file);
}

/** Whether a file begins with that; a file that cannot be read is judged by who tries to write it. */
async function beginsWith(file: string, text: string): Promise<boolean> {
	const handle = await open(file, 'r').catch(() => null);
	if (handle === null) return true;
	try {
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(text.length), 0, text.length, 0);
		return buffer.toString('latin1', 0, bytesRead) === text;
	} finally {
		await handle.close();
	}
}

/** Writes a report as JSON; the file may be `STDOUT`, or a terminal, such as `/dev/stdout`. */
export async function writeJson(file: string | null, report: object): Promise<void> {
	if (file === null) return;
	const text = `${visibleJson(report, 2)}\n`;
	if (file === STDOUT) {
		process.stdout.write(text);
		return;
	}
	try {
		await writeFile(file, text);
	} catch (error) {
		// What reads it has seen enough, as with a report: `--json /dev/stdout | head`.
		if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
		throw new OutputError(`Cannot write ${file}: ${plainCause(error)}.`);
	}
}

/** For a new file, "does not exist" can only mean its folder. */
function causeOfNew(error: unknown): string {
	return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'its folder does not exist' : plainCause(error);
}
