// Folders for what a test writes, all removed when the test file's process ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A new empty folder; `name` becomes part of its path, for tests of awkward paths. */
export function scratchFolder(name = 'test'): string {
	if (made.length === 0) process.on('exit', removeAll);
	const folder = mkdtempSync(join(tmpdir(), `waitline-${name}-`));
	made.push(folder);
	return folder;
}

function removeAll(): void {
	for (const folder of made) rmSync(folder, { recursive: true, force: true });
}
