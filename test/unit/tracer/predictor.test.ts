// When a prediction of a start's line is trusted, given up and trusted again: a stack that is read for each start costs more than all else that the
// tracer does. Starts come as a story of sites; what counts is how many stacks were read, and how many starts got another's line.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindOf } from '../../../tracer/process/kinds.ts';
import { Predictor } from '../../../tracer/sites/predictor.ts';
import type { Site } from '../../../tracer/sites/site.ts';
import { random } from '../../support/random.ts';
import { siteAt } from '../../support/site.ts';

const kind = kindOf('FSREQCALLBACK');
const [before, after] = [siteAt(1), siteAt(2)];

/** Starts of these sites, one after the other, each the first one of a callback of the same operation. */
function run(starts: Iterable<Site>): { captures: number; wrong: number } {
	const predictor = new Predictor();
	const node = predictor.callbacks.root(before, kind.index, before);
	let captures = 0;
	let wrong = 0;
	for (const site of starts) {
		const step = node!.next(kind);
		if (step !== undefined && step.untilVerify > 0) {
			step.untilVerify--;
			if (step.site !== site) wrong++;
			continue;
		}
		captures++;
		predictor.learn(node, step, kind, site, 1);
	}
	return { captures, wrong };
}

describe('the predictor', () => {
	it('trusts a line again that differs for good from what the first callbacks did', () => {
		// A server's first requests fill its caches.
		const first = [before, after, before, before, after];
		const { captures, wrong } = run([...first, ...new Array<Site>(200_000).fill(after)]);
		assert.equal(wrong, 0);
		assert.ok(captures < 6000, `${captures} stacks read`);
	});

	it('reads the stack for each start where two lines take turns', () => {
		const starts = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? before : after));
		assert.deepEqual(run(starts), { captures: 20_000, wrong: 0 });
	});

	for (const share of [0.3, 0.1, 0.01]) {
		it(`gives few starts another’s line where ${share * 100} % of them are another line’s, at random`, () => {
			const chance = random(7);
			const starts = Array.from({ length: 200_000 }, () => (chance() < share ? after : before));
			const { wrong } = run(starts);
			assert.ok(wrong <= starts.length / 1000, `${wrong} of ${starts.length}`);
		});
	}

	it('distinguishes the steps of an operation: what opens a file, reads it, finds its end and closes it', () => {
		const { callbacks } = new Predictor();
		const nodes = [0, 1, 2, 3].map((turn) => callbacks.root(before, kind.index, before, turn));
		assert.equal(new Set(nodes).size, nodes.length);
		assert.equal(callbacks.root(before, kind.index, before, 2), nodes[2]);
	});
});
