// Findings that say what a change would save: their programs do both in turn and print, in ms, what it did save (`asks-itself.cjs`). Run with nothing
// beside it: what takes the processor from one of the two changes what is saved.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eachFinding } from '../../src/protocol/finding-list.ts';
import type { FindingCode } from '../../src/protocol/report.ts';
import { labPrograms } from '../support/paths.ts';
import { recordSampled } from '../support/sampled-run.ts';

const saving: FindingCode[] = ['n-plus-one', 'serial-loop', 'awaits-together'];

for (const major of [20, 24]) {
	describe(`the change saves what the finding says, on Node ${major}`, () => {
		for (const code of saving) {
			it(code, async () => {
				const program = join(labPrograms, 'findings', `${code}.cjs`);
				const both = await recordSampled([program, 'both'], major);
				const [finding] = eachFinding(both.report.findings).filter((other) => other.code === code);
				const share = finding!.savesMs! / Number(both.text);
				assert.ok(share > 0.9 && share < 1.1, `${finding!.savesMs} ms of ${both.text}`);
				const changed = await recordSampled([program, 'changed'], major);
				assert.deepEqual(
					eachFinding(changed.report.findings).filter((other) => other.code === code),
					[],
				);
			});
		}
	});
}
