// What computed while a loop was blocked: programs that compute on a marked line, called from another marked line. Of
// all blocks with samples at least 95 % name both. They compute until they have used a given amount of CPU time. If they went by the
// clock, most of a block could pass while the machine runs something else, and its few samples would show only where the program stood.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { build } from 'esbuild';
import type { Block, Culprit, SourceLine } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';
import { record } from '../support/waitline.ts';

const sources = join(labPrograms, 'culprits');
const LIBRARY = 'slow-hash.js';
const programs = readdirSync(sources).filter((name) => name !== LIBRARY);
/** Shorter blocks come from Node's own loading and starting. */
const LEAST_MS = 100;

/** A module that takes long to load. */
const COMPUTES = `const end = process.cpuUsage().user + 300_000;
while (process.cpuUsage().user < end) for (let i = 0; i < 100_000; i++) Math.sqrt(i);
export const done = true;
`;

/** Copies the programs to a place where their library is in node_modules, and compiles the TypeScript. */
async function prepare(): Promise<string> {
	const folder = scratchFolder('culprits');
	const library = join(folder, 'node_modules', 'slow-hash');
	mkdirSync(library, { recursive: true });
	copyFileSync(join(sources, LIBRARY), join(library, 'index.js'));
	for (const name of programs) copyFileSync(join(sources, name), join(folder, name));
	const typed = join(folder, 'typed.ts');
	const out = join(folder, 'typed.js');
	await build({ entryPoints: [typed], outfile: out, format: 'cjs', platform: 'node', sourcemap: true });
	writeFileSync(join(folder, 'package.json'), '{}');
	return folder;
}

/** Lines of a program that end in that mark, 1-based. */
function marked(file: string, mark: string): number[] {
	const lines = readFileSync(file, 'utf8').split('\n');
	return lines.flatMap((line, i) => (line.endsWith(`// ${mark}`) ? [i + 1] : []));
}

function isAt({ file, line }: SourceLine, wanted: string, mark: string): boolean {
	return file === wanted && marked(wanted, mark).includes(line);
}

/** Whether the report describes a block as it was. */
function isRight({ culprits: [culprit] }: Block, program: string): boolean {
	return culprit !== undefined && isComputing(culprit, program) && isCalled(culprit, program);
}

function isComputing(culprit: Culprit, program: string): boolean {
	if (!culprit.isLibrary) return isAt(culprit, program, 'computes');
	return isAt(culprit, join(program, '..', 'node_modules', 'slow-hash', 'index.js'), 'computes');
}

function isCalled({ calledFrom }: Culprit, program: string): boolean {
	if (marked(program, 'calls').length === 0) return calledFrom === null;
	return calledFrom !== null && isAt(calledFrom, program, 'calls');
}

for (const node of nodes().filter(({ major }) => [20, 24, 26].includes(major))) {
	describe(`what computed, on Node ${node.major}`, () => {
		it('is named with its line and caller', async () => {
			const folder = await prepare();
			const results: { name: string; right: number; sampled: number; all: number; wrong: string[] }[] = [];
			for (const name of programs) {
				const program = join(folder, name);
				const { report } = await record(node, [program.replace(/\.ts$/, '.js')], {}, ['--sample']);
				assertComplete(report);
				const blocks = report.loops
					.flatMap((loop) => loop.blocks)
					.filter(({ isStartUp, durationMs }) => !isStartUp && durationMs >= LEAST_MS);
				const sampled = blocks.filter(({ culprits }) => culprits.length > 0);
				const right = sampled.filter((block) => isRight(block, program));
				const wrong = sampled.filter((block) => !right.includes(block)).map(({ culprits }) => textOf(culprits[0]!));
				results.push({ name, right: right.length, sampled: sampled.length, all: blocks.length, wrong });
			}
			const text = JSON.stringify(results, null, 1);
			for (const { all, sampled } of results) assert.ok(all >= 5 && sampled > 0, text);
			const sum = (key: 'right' | 'sampled') => results.reduce((total, each) => total + each[key], 0);
			assert.ok(sum('right') >= 0.95 * sum('sampled'), text);
		});

		it('is a module that the program imports, with the line that does', async () => {
			const folder = scratchFolder('imports');
			for (const name of ['slow-start', 'slow-later']) {
				const library = join(folder, 'node_modules', name);
				mkdirSync(library, { recursive: true });
				writeFileSync(join(library, 'package.json'), '{ "type": "module", "main": "index.js" }');
				writeFileSync(join(library, 'index.js'), COMPUTES);
			}
			writeFileSync(join(folder, 'package.json'), '{}');
			const [main, parts] = [join(folder, 'main.mjs'), join(folder, 'parts.mjs')];
			writeFileSync(
				parts,
				"import fs from 'node:fs';\nimport { done } from 'slow-start';\nexport default [fs, done];\n",
			);
			writeFileSync(
				main,
				"import parts from './parts.mjs';\n\nawait import('slow-later');\nconsole.log(parts.length);\n",
			);
			const { report } = await record(node, [main], {}, ['--sample']);
			assertComplete(report);
			const culprits = report.loops.flatMap(({ blocks }) => blocks.flatMap((block) => block.culprits));
			const importOf = (name: string) => {
				const at = culprits.find(({ isLibrary, file }) => isLibrary && file.includes(name))?.calledFrom;
				return at == null ? at : [at.file, at.line];
			};
			assert.deepEqual(importOf('slow-start'), [parts, 2], JSON.stringify(report.loops, null, 1));
			assert.deepEqual(importOf('slow-later'), [main, 3], JSON.stringify(report.loops, null, 1));
		});

		it('is on its own line, of two that took turns in one function', async () => {
			const program = join(labPrograms, 'two-kinds.cjs');
			const { report } = await record(node, [program], {}, ['--sample']);
			const marks = ['regular expression', 'text'].map((mark) => marked(program, mark)[0]!);
			// Where the machine stops the program between two turns, that is a block, too.
			const seen = report.loops
				.flatMap((loop) => loop.blocks)
				.filter(({ isStartUp, durationMs }) => !isStartUp && durationMs >= LEAST_MS)
				.flatMap(({ culprits: [culprit] }) => (culprit === undefined ? [] : [culprit.line]))
				.filter((line) => marks.includes(line));
			assert.deepEqual(seen, [...marks, ...marks, ...marks, ...marks], JSON.stringify(report.loops, null, 1));
		});

		it('is reported where a program calls functions that every object has, and where all clients left early', async () => {
			const program = join(labPrograms, 'takes-texts.cjs');
			const { report } = await record(node, [program], {}, ['--sample']);
			assertComplete(report);
			assert.deepEqual(report.requests, []);
			assert.deepEqual(report.unanswered, [
				{
					file: program,
					line: marked(program, 'handler')[0],
					op: 'http.Server request',
					pending: 0,
					oldestPending: null,
					closedEarly: 2,
				},
			]);
		});
	});
}

function textOf({ function: name, file, line, calledFrom }: Culprit): string {
	return `${name} ${basename(file)}:${line} from ${calledFrom?.function}:${calledFrom?.line}`;
}
