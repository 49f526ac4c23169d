// Time without pauses: it never goes back, whatever the pauses are.
import assert from 'node:assert/strict';
import test from 'node:test';
import { PauseClock } from '../../../src/engine/clocks/pause-clock.ts';
import { random } from '../../support/random.ts';

test('times before, in and after many pauses', () => {
	const clock = new PauseClock();
	for (let i = 1; i <= 1000; i++) {
		clock.stop(i * 100);
		clock.go(i * 100 + 40);
	}
	clock.stop(200_000);
	assert.deepEqual(
		[0, 100, 120, 140, 150, 199, 200, 240, 241, 100_040, 199_999, 200_000, 900_000].map((at) => clock.running(at)),
		[0, 100, 100, 100, 110, 159, 160, 160, 161, 60_040, 159_999, 160_000, 160_000],
	);
});

test('pauses of fractions of a µs never make the time go back', () => {
	const draw = random(1);
	const clock = new PauseClock();
	for (let at = 2 ** 40; at < 2 ** 40 + 10_000; at += 1 + draw() * 20) {
		clock.stop(at);
		clock.go(at + draw() * 10);
	}
	let last = -1;
	for (let at = 0; at < 12_000; at++) {
		const time = clock.running(2 ** 40 + at) - clock.running(2 ** 40);
		assert.ok(Number.isInteger(time) && time >= last, `${at}: ${time} after ${last}`);
		last = time;
	}
});
