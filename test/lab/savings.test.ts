// Findings that say what a change would save: their programs do both in turn and print, in ms, how long each took (`asks-itself.cjs`). Run with nothing
// beside it: what takes the processor from one of the two changes what is saved.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eachFinding } from '../../src/protocol/finding-list.ts';
import type { FindingCode } from '../../src/protocol/report.ts';
import { labPrograms } from '../support/paths.ts';
import { assertNear, sum } from '../support/report.ts';
import { recordSampled } from '../support/sampled-run.ts';

const saving: FindingCode[] = ['n-plus-one', 'serial-loop', 'awaits-together'];

/** Runs a program as it is and changed, and what the change has saved, in ms: once for each round. */
async function runBoth(program: string, major: number) {
	const { report, text } = await recordSampled([program, 'both'], major);
	const { serve, changed } = JSON.parse(text) as Record<'serve' | 'changed', number[]>;
	return { report, saved: serve.map((ms, round) => ms - changed[round]!) };
}

for (const major of [20, 24]) {
	describe(`the change saves what the finding says, on Node ${major}`, () => {
		for (const code of saving) {
			it(code, async () => {
				const program = join(labPrograms, 'findings', `${code}.cjs`);
				const { report, saved } = await runBoth(program, major);
				const [finding] = eachFinding(report.findings).filter((other) => other.code === code);
				// The rounds are equal: by how much they differ, the machine stopped during one of them.
				const offBy = saved.length * (Math.max(...saved) - Math.min(...saved));
				assertNear(finding!.savesMs!, sum(saved), 0.1, `saved in rounds that saved ${saved}`, offBy);
				const changed = await recordSampled([program, 'changed'], major);
				assert.deepEqual(
					eachFinding(changed.report.findings).filter((other) => other.code === code),
					[],
				);
			});
		}
	});
}
