// Waits for a connection of knex' pool (tarn), which a transaction begins in a promise of its own, and some that never get one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { eachFinding } from '../../src/protocol/finding-list.ts';
import type { Report } from '../../src/protocol/report.ts';
import { nodesOfLibraries } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, lineWith } from '../support/report.ts';
import { record } from '../support/waitline.ts';

const program = libraryProgram('leaks-from-knex.cjs');

describe('waits for a connection of knex', () => {
	before(installLibraries);

	for (const node of nodesOfLibraries()) {
		describe(`on Node ${node.major}`, () => {
			let report: Report;
			before(async () => {
				({ report } = await record(node, [program]));
				assertComplete(report);
			});

			it('that end are on the line that asked, and no other', () => {
				const waits = report.lines.filter(({ op, count }) => op === 'pool connection' && count > 0);
				assert.deepEqual(
					waits.map(({ file, line, count }) => [file, line, count]).sort(([, a], [, b]) => Number(a) - Number(b)),
					[
						[program, lineWith(program, '// takes'), 1],
						[program, lineWith(program, '// asks'), 3],
						[program, lineWith(program, '// nests ↓') + 1, 2],
					],
				);
			});

			it('that never end are on the line that began the transaction, with the callback that led to it', () => {
				const waits = report.lines.filter(({ op, pending }) => op === 'pool connection' && pending > 0);
				const [{ file, line, pending, callers }, ...others] = waits as [Report['lines'][number]];
				assert.deepEqual(others, []);
				assert.deepEqual([file, line, pending], [program, lineWith(program, '// begins an order'), 9]);
				const orders = callers.find((caller) => caller.line === lineWith(program, '// orders'));
				assert.deepEqual([orders?.file, orders?.op, orders?.count], [program, 'setTimeout', 9]);
			});

			it('that never end are found, with the line that has used the connections last', () => {
				const found = eachFinding(report.findings).filter(({ code }) => code === 'leaked-connection');
				assert.deepEqual(
					found.map(({ file, line, cause }) => [file, line, cause?.file, cause?.line]),
					[[program, lineWith(program, '// begins an order'), program, lineWith(program, '// last use')]],
				);
				const { waiting, quiet } = found[0]!.evidence as { waiting: number; quiet: number };
				assert.deepEqual([waiting, quiet], [9, 2]);
			});
		});
	}
});

describe('requests whose handlers wait for a connection of knex first', () => {
	const served = libraryProgram('serves-from-knex.cjs');
	/** How often the program asks for each route. */
	const asked = 24;

	before(installLibraries);
	for (const node of nodesOfLibraries()) {
		it(`are on the lines of their handlers, on Node ${node.major}`, async () => {
			const { report } = await record(node, [served]);
			assertComplete(report);
			const expected = readFileSync(served, 'utf8')
				.split('\n')
				.flatMap((text, index) => (/\/\/ ↓ /.test(text) ? [[index + 2, asked]] : []));
			const byLine = ([a]: number[], [b]: number[]) => a! - b!;
			assert.deepEqual(report.requests.map(({ line, count }) => [line, count]).sort(byLine), expected);
			const rows = report.lines.filter(({ op }) => op.startsWith('http.Server request'));
			assert.deepEqual(rows.map(({ line, count }) => [line, count]).sort(byLine), expected);
		});
	}
});
