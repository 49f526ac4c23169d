// Programs in TypeScript, which Node runs itself since 22.18 and tsx before: what is found by a script's text is found in them as in JavaScript.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { eachFinding } from '../../src/protocol/finding-list.ts';
import type { FindingCode } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { installLibraries, libraries } from '../support/origins.ts';
import { labPrograms } from '../support/paths.ts';
import { lineWith } from '../support/report.ts';
import { recordSampled } from '../support/sampled-run.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';

/** By program: its findings, and a text on their line. */
const faults: [program: string, codes: FindingCode[], at: string][] = [
	['serial-loop.mts', ['n-plus-one', 'serial-loop'], 'const answer = (await fetch('],
	['awaits-together.cts', ['awaits-together'], 'const user = await fetch('],
	['sync-in-callback.ts', ['sync-in-callback'], 'pbkdf2Sync(password'],
];
/** What only the text shows. */
const BY_TEXT = new Set<FindingCode>(['awaits-together', 'n-plus-one', 'serial-loop', 'sync-in-callback']);

const tsx = pathToFileURL(join(libraries, 'tsx', 'dist', 'loader.mjs')).href;

/** Node replaces types by blanks; tsx compiles, and gives V8 a map. */
const ways = [
	{ major: 20, by: 'tsx', flags: ['--enable-source-maps', '--import', tsx] },
	...[22, 24, 26].map((major) => ({ major, by: 'Node', flags: [] })),
];

/** The findings of a program that only its text shows: `code at line`. */
async function foundIn(name: string, major: number, flags: string[]): Promise<string[]> {
	const file = join(labPrograms, 'typescript', name);
	const { report } = await recordSampled([...flags, file], major);
	assert.deepEqual(
		report.warnings.filter(({ code }) => code.startsWith('map-')),
		[],
		'the text that ran is known',
	);
	const found = eachFinding(report.findings).filter(({ code }) => BY_TEXT.has(code));
	return found.map((each) => `${each.code} at ${each.file === file ? each.line : each.file}`).sort();
}

describe('findings in TypeScript', SIDE_BY_SIDE, () => {
	before(installLibraries);

	const there = new Set(nodes().map(({ major }) => major));
	for (const { major, by, flags } of ways.filter((way) => there.has(way.major))) {
		for (const [name, codes, at] of faults) {
			it(`${codes.join(' and ')} in ${name}, which ${by} runs on Node ${major}`, async () => {
				const line = lineWith(join(labPrograms, 'typescript', name), at);
				assert.deepEqual(
					await foundIn(name, major, flags),
					codes.map((code) => `${code} at ${line}`),
				);
			});
		}

		it(`nothing in serial-loop-fine.mts, which ${by} runs on Node ${major}`, async () => {
			assert.deepEqual(await foundIn('serial-loop-fine.mts', major, flags), []);
		});
	}
});
