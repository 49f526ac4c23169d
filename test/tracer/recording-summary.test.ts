// The command line tool prints the same report of a recording from its summary and from its journals.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { build } from 'esbuild';
import { partsOf } from '../mutations/parts.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { scratchFolder } from '../support/scratch.ts';
import { readReport, waitline } from '../support/waitline.ts';

const NAME = 'summary.json';
const mutated = join(import.meta.dirname, '../mutations/programs');

/** A TypeScript program, with its map in a file of its own. */
async function compiled(): Promise<string> {
	const folder = scratchFolder('compiled');
	const outfile = join(folder, 'out.cjs');
	await build({
		entryPoints: [join(mutated, 'blocks-its-loop-and-is-killed.ts')],
		outfile,
		sourcemap: true,
		format: 'cjs',
		platform: 'node',
	});
	return outfile;
}

const PROGRAMS: [what: string, program: () => string | Promise<string>][] = [
	['of files and the pool', () => join(mutated, 'uses-files-and-the-pool.cjs')],
	['of a server and its children', () => join(mutated, 'serves-with-children.cjs')],
	['of a TypeScript program that is killed', compiled],
	['of a Worker and its messages', () => join(tracerPrograms, 'passes-messages.cjs')],
];

/** Value by value: of a whole report that differs, the message would be cut before the difference. */
function assertSame(actual: unknown, expected: unknown, where: string): void {
	if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) {
		assert.deepEqual(actual, expected, `${where}: ${actual} from the summary, ${expected} from the journals`);
		return;
	}
	const [theirs, own] = [new Map(Object.entries(expected)), new Map(Object.entries(actual))];
	assert.deepEqual([...own.keys()], [...theirs.keys()], where);
	for (const [key, value] of own) assertSame(value, theirs.get(key), `${where}.${key}`);
}

describe('a recording', () => {
	for (const [what, program] of PROGRAMS) {
		it(`${what} gives the same report and text with and without its summary`, async () => {
			const folder = scratchFolder();
			const file = join(folder, 'saved.waitline');
			const bare = join(folder, 'bare.waitline');
			const entry = await program();
			await waitline(['run', '--no-report', '--sample', '--out', file, '--', nodes().at(-1)!.path, entry]);
			const bytes = readFileSync(file);
			assert.ok(
				partsOf(bytes).some(({ name }) => name.toString() === NAME),
				'it has a summary',
			);
			writeFileSync(bare, bytes.subarray(0, bytes.indexOf(NAME) - 20));
			const [shown, read] = await Promise.all(
				[file, bare].map(async (each) => {
					const json = `${each}.json`;
					// Its map is beside the script, which the recording does not contain.
					const { code, stdout, stderr } = await waitline(['report', each, '--json', json], { cwd: join(entry, '..') });
					assert.equal(code, 0, stderr.toString());
					return { report: readReport(json), text: stdout.toString() };
				}),
			);
			assert.ok(shown!.report.lines.length > 0);
			assertSame(shown!.report, read!.report, 'report');
			assert.deepEqual(shown, read);
		});
	}
});
