// Findings that say what a change would save: their programs do both in turn and print, in ms, how long each took (`asks-itself.cjs`). Run with nothing
// beside it: what takes the processor from one of the two changes what is saved.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { eachFinding } from '../../src/protocol/finding-list.ts';
import type { FindingCode } from '../../src/protocol/report.ts';
import { installLibraries } from '../support/origins.ts';
import { labPrograms } from '../support/paths.ts';
import { assertNear, sum } from '../support/report.ts';
import { recordSampled } from '../support/sampled-run.ts';

interface Saving {
	code: FindingCode;
	program: string;
	/** The Nodes that it runs on. */
	on: readonly number[];
}

const SAVINGS: Saving[] = [
	{ code: 'n-plus-one', program: 'n-plus-one', on: [20, 24] },
	{ code: 'serial-loop', program: 'serial-loop', on: [20, 24] },
	{ code: 'awaits-together', program: 'awaits-together', on: [20, 24] },
	// A library is the same on all.
	{ code: 'n-plus-one', program: 'n-plus-one-pool', on: [24] },
	// All at once take two rounds: the pool has half as many connections.
	{ code: 'serial-loop', program: 'serial-loop-pool', on: [24] },
	{ code: 'serial-loop', program: 'serial-loop-client', on: [24] },
	{ code: 'awaits-together', program: 'awaits-together-redis', on: [24] },
];

/** Nothing is left out where the machine is busy: what is saved does not depend on what it costs to see it. */
const SEES_ALL = ['--budget', '50'];

/** Runs a program as it is and changed, and what the change has saved, in ms: once for each round. */
async function runBoth(program: string, major: number) {
	const { report, text } = await recordSampled([program, 'both'], major, 4, SEES_ALL);
	const { serve, changed } = JSON.parse(text) as Record<'serve' | 'changed', number[]>;
	return { report, saved: serve.map((ms, round) => ms - changed[round]!) };
}

describe('the change saves what the finding says', () => {
	before(installLibraries);

	for (const { code, program: name, on } of SAVINGS) {
		for (const major of on) {
			it(`${name} on Node ${major}`, async () => {
				const program = join(labPrograms, 'findings', `${name}.cjs`);
				const { report, saved } = await runBoth(program, major);
				const [finding] = eachFinding(report.findings).filter((other) => other.code === code);
				// The rounds are equal: by how much they differ, the machine stopped during one of them.
				const offBy = saved.length * (Math.max(...saved) - Math.min(...saved));
				assertNear(finding!.savesMs!, sum(saved), 0.1, `saved in rounds that saved ${saved}`, offBy);
				const changed = await recordSampled([program, 'changed'], major, 4, SEES_ALL);
				assert.deepEqual(
					eachFinding(changed.report.findings).filter((other) => other.code === code),
					[],
				);
			});
		}
	}
});
