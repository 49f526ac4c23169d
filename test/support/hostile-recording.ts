// Recordings as a stranger would make them: journals that name any file as their script, and texts and source maps that
// lead to any file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_NOTES } from '../../src/host/recordings/session-notes.ts';
import { writeRecording } from '../../src/host/recordings/write-recording.ts';
import { scratchFolder } from './scratch.ts';
import { ThreadJournal } from './thread-journal.ts';

/** One thread's operations: on these lines of a script. */
interface ThreadLines {
	script: string;
	lines: readonly number[];
	/** The resource's type, which is the operation's name where Node has none. */
	type?: string;
}

/** Writes a recording of one process with these threads; returns its path. */
export async function hostileRecording(
	threads: readonly ThreadLines[],
	carried: Record<string, string> = {},
): Promise<string> {
	const file = join(scratchFolder(), 'hostile.waitline');
	const folder = scratchFolder('journals');
	const names: string[] = [];
	for (const [threadId, { script, lines, type }] of threads.entries()) {
		const journal = new ThreadJournal({ threadId, script });
		for (const [index, line] of lines.entries()) journal.start(10 + index, line, 100 * index, type);
		for (const index of lines.keys()) journal.callback(10 + index, 5000 + 1000 * index);
		journal.exit(100_000);
		writeFileSync(join(folder, journal.name), journal.bytes);
		names.push(journal.name);
	}
	await writeRecording(file, folder, names, NO_NOTES, new Map(Object.entries(carried)), null);
	return file;
}

/** A source map that leads from line n of the script to line n of a source. */
export function lineForLine(source: string, lines: number): string {
	const mappings = Array.from({ length: lines }, (_, line) => (line === 0 ? 'AAAA' : 'AACA')).join(';');
	return JSON.stringify({ version: 3, sources: [source], names: [], mappings });
}

/** The comment that puts a map into the text itself. */
export function inlineMap(json: string): string {
	return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(json).toString('base64')}\n`;
}
