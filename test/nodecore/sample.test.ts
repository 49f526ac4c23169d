// A sample of Node's own tests under the tracer, on the oldest Node that is supported: what a program notices of us, Node's tests mostly notice too.
// `npm run test:nodecore` runs them all.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/paths.ts';
import { chooseFiles } from './choose-files.ts';
import { again } from './compare.ts';
import { known } from './known.ts';
import { runFile } from './run-file.ts';
import { sampleOf } from './sample.ts';
import { Slots } from './slots.ts';
import { stageOrReason } from './stage.ts';
import { suites } from './suites.ts';

/** Most of the sample must have been compared for a green run to mean something; without IPv6 or a terminal about ten fail bare. */
const LEAST_COMPARED = 130;

const suite = suites()[0]!;
const stage = stageOrReason(suite, join(root, 'dist', 'tracer.cjs'));

if (typeof stage === 'string') it("Node's own tests", { skip: stage }, () => undefined);
else {
	const names = known.filter(({ nodes }) => nodes.includes(suite.major)).map(({ file }) => file);
	const slots = new Slots(2);
	let compared = 0;

	describe(`Node ${suite.version}'s own tests under the tracer`, { concurrency: slots.count }, () => {
		for (const file of sampleOf(chooseFiles(stage), names)) {
			it(file.path, async (test) => {
				// Most pass with the tracer, and then nothing is to be compared.
				const tracer = await slots.use((slot) => runFile(stage, file, 'tracer', slot));
				if (tracer.passed) {
					assert.ok(tracer.traced, 'the tracer wrote a journal');
					compared++;
					return;
				}
				const { verdict, again: rounds } = await slots.useAll((slot) =>
					again(file, { tracer }, (arm) => runFile(stage, file, arm, slot)),
				);
				if (verdict === 'ours')
					assert.fail(`passes bare and with an empty preload, and with the tracer ${tracer.how}:\n${tracer.said}`);
				const arms = rounds.map((round) => Object.values(round).map(({ how }) => how));
				test.skip(
					`not by us: alone, bare, with an empty preload and with the tracer, it ended in ${JSON.stringify(arms)}`,
				);
			});
		}
	});

	it('compared most of the sample', () => {
		assert.ok(compared >= LEAST_COMPARED, `${compared} of the sample ran well here`);
	});
}
