// Operations are on the line that started them, once each, under the name of the function that was called.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loopbackCertificate } from '../support/certificate.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, lineWith } from '../support/report.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';
import { record } from '../support/waitline.ts';

/**
 * What a program states about its own lines: `// → name class count`, or `// ↓ …` for the next, several with `;`
 * between.
 */
function expected(program: string): string[] {
	return readFileSync(program, 'utf8')
		.split('\n')
		.flatMap((text, i) => {
			const [, arrow, entries = ''] = /\/\/ ([→↓]) (.*)$/.exec(text) ?? [];
			if (arrow === undefined) return [];
			const line = arrow === '→' ? i + 1 : i + 2;
			return entries.split('; ').map((entry) => `${line} ${entry}`);
		})
		.sort();
}

const PROGRAMS: [what: string, program: string][] = [
	['many kinds of operations', 'many-operations.cjs'],
	['files, folders and watchers', 'reads-files.cjs'],
	['sockets, names and servers', 'uses-network.cjs'],
	['TLS', 'uses-tls.cjs'],
	['processes, threads and messages', 'passes-messages.cjs'],
	['zlib, at once and in streams', 'compresses.cjs'],
	['a long loop after another', 'loops.cjs'],
	['what is started once after a loop that awaits the same kind', 'ends-its-loops.cjs'],
	['what is started once after an operation of many steps, which took it for one more', 'goes-on-after-many-steps.cjs'],
	['key pairs that are asked for in a row, of which the last alone was recorded', 'makes-key-pairs.cjs'],
];

const certificate = JSON.stringify(loopbackCertificate());

describe('origins', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			for (const [what, name] of PROGRAMS) {
				it(`${what}: each line has the name, class and count that the program states`, async () => {
					const program = join(tracerPrograms, name);
					const { report } = await record(node, [program], { env: { CERTIFICATE: certificate } });
					const found = report.lines.map((line) => `${line.line} ${line.op} ${line.class} ${line.count}`);
					assert.deepEqual(found.sort(), expected(program));
					assertComplete(report);
				});
			}

			it('a callback that changes its ways has at most 63 operations on the old line', async () => {
				const program = join(tracerPrograms, 'changes-its-ways.cjs');
				const { report } = await record(node, [program]);
				const countAt = (text: string) => report.lines.find(({ line }) => line === lineWith(program, text))?.count ?? 0;
				const [first, later] = [countAt("'at first'"), countAt("'later'")];
				assert.equal(first + later, 600);
				assert.ok(first >= 300 && first <= 363, `${first} and ${later}`);
			});

			it('ticks that start something only later have at most 63 operations on the old line', async () => {
				const program = join(tracerPrograms, 'uses-its-ticks-later.cjs');
				const { report } = await record(node, [program]);
				const stats = report.lines.filter(({ op }) => op === 'fs');
				const countAt = (text: string) => stats.find(({ line }) => line === lineWith(program, text))?.count ?? 0;
				const [wrong, right] = [countAt("'nothing'"), countAt("'starts'")];
				assert.equal(wrong + right, 300);
				assert.ok(wrong <= 63, `${wrong} and ${right}`);
			});

			it('a file whose promise is awaited elsewhere is read on the line that called, and on no other', async () => {
				const program = join(tracerPrograms, 'awaits-afar.cjs');
				const { report } = await record(node, [program]);
				assert.deepEqual(
					report.lines.map(({ line, op, count }) => ({ line, op, count })),
					[{ line: lineWith(program, 'readFile(file'), op: 'fs.promises.readFile', count: 4 }],
				);
			});
		});
	}
});
