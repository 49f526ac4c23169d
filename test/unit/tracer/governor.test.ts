// The governor's decisions, with the time of a story: its cost is set by the test.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Governor } from '../../../tracer/run/governor.ts';

const SECOND = 1_000_000;

/** Makes the tracer take `us` µs for rare work of 1 ms each, by setting when each began. */
function spend(governor: Governor, us: number): void {
	for (let left = us; left > 0; left -= 1000) governor.endRare(governor.beginRare() - Math.min(left, 1000));
}

/** A governor whose tracer spends these shares of the seconds after the first; what it does after each. */
function stages(budget: number, shares: number[]): string[] {
	const governor = new Governor(budget);
	return [0, ...shares].map((share, second) => {
		spend(governor, share * SECOND);
		governor.judge((second + 2) * SECOND);
		return `${governor.stage}/${governor.every}`;
	});
}

test('within the budget nothing changes, and without one nothing ever does', () => {
	assert.deepEqual(new Set(stages(0.02, new Array(20).fill(0.015))), new Set(['0/1']));
	assert.deepEqual(new Set(stages(0, new Array(20).fill(0.9))), new Set(['0/1']));
});

test('the start is not judged', () => {
	const governor = new Governor(0.02);
	spend(governor, SECOND);
	assert.equal(governor.judge(1.9 * SECOND), false);
	assert.equal(governor.judge(2.1 * SECOND), false);
	assert.equal(governor.judge(3.2 * SECOND), false);
	assert.equal(governor.stage, 0);
});

test('over the budget it goes down a step per second, and no further than the last', () => {
	assert.deepEqual(stages(0.02, new Array(6).fill(0.1)), ['0/1', '1/1', '2/1', '3/8', '3/64', '4/1', '4/1']);
});

test('in the last stage it rests until stretch and rest together keep the budget', () => {
	const governor = new Governor(0.02);
	let now = SECOND;
	const second = (share: number) => {
		spend(governor, share * SECOND);
		now += SECOND;
		governor.judge(now);
		return governor.restUs / SECOND;
	};
	for (const share of [0, 0.1, 0.1, 0.1, 0.1, 0.1]) assert.equal(second(share), 0, 'not before');
	assert.equal(governor.stage, 4);
	for (const { share, rest } of [
		{ share: 0.1, rest: 9 },
		{ share: 0.2, rest: 19 },
		{ share: 0.9, rest: 29 },
	]) {
		second(share);
		// On a busy machine what it measures is a little more than that share.
		const exact = Math.min(29, rest + (governor.cost - Math.min(governor.cost, share)) * 100);
		assert.ok(Math.abs(governor.restUs / SECOND - exact) < 1e-6, `${governor.restUs} µs after ${share}`);
		now += Math.ceil(governor.restUs);
		governor.goOn(now);
	}
	assert.deepEqual([second(0.001), second(0.001), second(0.001)], [0, 0, 0]);
	assert.equal(governor.stage, 3, 'and no longer rests once the program is calm');
});

test('it goes up after three seconds of calm, later when that was too early', () => {
	const hot = 0.1;
	const calm = 0.001;
	assert.deepEqual(
		stages(0.02, [hot, calm, calm, calm, hot, calm, calm, calm, calm, calm, calm])
			.map((text) => text[0])
			.join(''),
		'011101111110',
	);
	assert.deepEqual(stages(0.02, [hot, 0.016, 0.016, 0.016, 0.016]).at(-1), '1/1', 'most of the budget is no calm');
	assert.deepEqual(stages(0.02, [hot, 0.014, 0.014, 0.014]).at(-1), '0/1', 'less of it is');
});

test('a call during which the thread had no CPU does not count as an expensive call', () => {
	const governor = new Governor(0.02);
	governor.judge(2 * SECOND);
	for (let call = 0; call < 61; call++) {
		const began = governor.begin();
		governor.end(began < 0 ? began : began - 10_000);
	}
	governor.endRare(governor.beginRare() - 10_000);
	assert.equal(governor.judge(3 * SECOND), false);
	assert.ok(governor.cost > 0.004 && governor.cost < 0.006, String(governor.cost));
});

test('the time that it takes to read the clock is not the tracer’s share', () => {
	const governor = new Governor(0.02);
	const calls = 50_000;
	const perCall: number[] = [];
	for (let second = 2; second < 8; second++) {
		for (let call = 0; call < calls; call++) governor.end(governor.begin());
		governor.judge(second * SECOND);
		perCall.push((governor.cost * SECOND) / calls);
	}
	// In some of the seconds something else may have had the CPU. With the reading in it, a call would take one reading and more.
	const share = Math.min(...perCall.slice(1));
	assert.ok(share < readingUs() / 2, `${perCall} µs a call that does nothing`);
});

/** What one reading of the clock takes here, in µs. */
function readingUs(): number {
	const readings = 50_000;
	const began = performance.now();
	for (let reading = 0; reading < readings; reading++) performance.now();
	return ((performance.now() - began) * 1000) / readings;
}
