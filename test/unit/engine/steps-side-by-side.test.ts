// The split of steps that wait at the same time, against one that looks at each µs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { WaitEstimates } from '../../../src/engine/common/estimate.ts';
import { StepsSideBySide } from '../../../src/engine/operations/steps-side-by-side.ts';
import { random } from '../../support/random.ts';

interface Step {
	started: number;
	began: number;
	done: number;
	called: number;
}

/** In which µs which part of the wait was. */
function splitOf(steps: readonly Step[]): { queue: number; execute: number; lag: number } {
	const split = { queue: 0, execute: 0, lag: 0 };
	for (let at = 0; at < 400; at++) {
		const is = (from: keyof Step, to: keyof Step) => steps.some((step) => step[from] <= at && at < step[to]);
		if (is('began', 'done')) split.execute++;
		else if (is('started', 'began')) split.queue++;
		else if (is('done', 'called')) split.lag++;
	}
	return split;
}

test('each moment counts once, and what is known within limits stays within them', () => {
	const draw = random(11);
	const upTo = (most: number) => Math.floor(draw() * (most + 1));
	for (let round = 0; round < 500; round++) {
		const all = new StepsSideBySide();
		const steps: Step[] = [];
		let onThreads = 0;
		for (let count = 0; count < 2 + upTo(6); count++) {
			const started = upTo(100);
			const began = started + upTo(60);
			const done = began + upTo(60);
			const called = done + upTo(60);
			steps.push({ started, began, done, called });
			onThreads += done - began;
			const least = { began: Math.max(started, began - upTo(20)), done: Math.max(began, done - upTo(20)) };
			const most = { began: Math.min(done, began + upTo(20)), done: Math.min(called, done + upTo(20)) };
			all.add(started, { low: least.began, high: most.began }, { low: least.done, high: most.done }, called);
		}
		const known = new WaitEstimates();
		all.addTo(known);
		for (const [part, us] of Object.entries(splitOf(steps))) {
			const { low, value, high } = known[part as 'queue' | 'execute' | 'lag'];
			assert.ok(low <= us && us <= high, `${part}: ${us} in ${low} to ${high}, round ${round}`);
			assert.ok(low <= value && value <= high, `${part}: ${value} in ${low} to ${high}, round ${round}`);
		}
		const { execute, beyondExecute } = known;
		const [least, most] = [execute.low + beyondExecute.low, execute.high + beyondExecute.high];
		assert.ok(least <= onThreads && onThreads <= most, `${onThreads} in ${least} to ${most}`);
		const { queue, lag } = known;
		const waited = new Set(
			steps.flatMap(({ started, called }) => Array.from({ length: called - started }, (_, i) => started + i)),
		);
		assert.ok(Math.abs(queue.value + execute.value + lag.value - waited.size) < 1e-6, 'the shown parts are the wait');
	}
});
