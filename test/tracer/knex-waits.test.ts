// Waits for a connection of knex' pool (tarn) of which nothing shows whose they are until there is a connection, and some that never get one.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eachFinding } from '../../src/protocol/finding-list.ts';
import type { Report } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, entry, lineWith } from '../support/report.ts';
import { record } from '../support/waitline.ts';

const program = libraryProgram('leaks-from-knex.cjs');

describe('waits for a connection of knex', () => {
	before(installLibraries);

	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			let report: Report;
			before(async () => {
				({ report } = await record(node, [program]));
				assertComplete(report);
			});

			it('that never end are on the line of the pool, with the callback that led to them', () => {
				const waits = report.lines.filter(
					({ op, file }) => op === 'pool connection' && /tarn.dist.Pool\.js$/.test(file),
				);
				const [{ pending, callers }, ...others] = waits as [Report['lines'][number]];
				assert.deepEqual(others, []);
				assert.equal(pending, 9);
				const orders = callers.find(({ line }) => line === lineWith(program, '// orders'));
				assert.deepEqual([orders?.file, orders?.op, orders?.count], [program, 'setTimeout', 9]);
			});

			it('that end are on the line that asked, where a stack shows it', () => {
				const { count, pending } = entry(report, {
					file: program,
					line: lineWith(program, '// asks'),
					op: 'pool connection',
				});
				assert.deepEqual([count, pending], [2, 0]);
			});

			it('that never end are found, with the line that has used the connections last', () => {
				const found = eachFinding(report.findings).filter(({ code }) => code === 'leaked-connection');
				assert.deepEqual(
					found.map(({ file, line, cause }) => [file, line, cause?.file, cause?.line]),
					[[program, lineWith(program, '// orders'), program, lineWith(program, '// last use')]],
				);
				const { waiting, quiet } = found[0]!.evidence as { waiting: number; quiet: number };
				assert.deepEqual([waiting, quiet], [9, 2]);
			});
		});
	}
});
