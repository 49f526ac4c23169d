// Which tick blocked the loop, found with as few clock readings as possible. The time is the story's own.
import assert from 'node:assert/strict';
import test from 'node:test';
import { TickClock } from '../../tracer/run/tick-clock.ts';

/**
 * A clock whose ticks take the given ms each, one after the other; how long each is reported to have blocked the loop,
 * and how often it was read.
 */
function story() {
	let now = 0;
	let readings = 0;
	const clock = new TickClock(() => {
		readings++;
		return now;
	});
	return {
		clock,
		run(ticks: { ms: number; isNew?: boolean }[]): { blocked: number[]; readings: number } {
			readings = 0;
			clock.follow(now, ticks.length > 0);
			const blocked = ticks.map(({ ms, isNew = false }, index) => {
				clock.begin(isNew);
				now += ms * 1000;
				return clock.end(isNew, index === ticks.length - 1) / 1000;
			});
			return { blocked, readings };
		},
	};
}

test('ticks that block nothing cost one reading, however many they are', () => {
	assert.deepEqual(story().run([{ ms: 1 }, { ms: 2 }, { ms: 1 }]), { blocked: [0, 0, 0], readings: 1 });
});

test('a tick alone is known at once, and so is one of a new line among others', () => {
	assert.deepEqual(story().run([{ ms: 60 }]).blocked, [60]);
	assert.deepEqual(story().run([{ ms: 1 }, { ms: 60, isNew: true }, { ms: 1 }]).blocked, [0, 60, 0]);
});

test('one of several known lines that blocks the loop is identified from the next time on', () => {
	const { run } = story();
	const ticks = [{ ms: 1 }, { ms: 60 }, { ms: 1 }];
	assert.deepEqual(run(ticks).blocked, [0, 0, 0], 'which of the three is unknown');
	assert.deepEqual(run(ticks).blocked, [0, 60, 0]);
});

test('ticks that only together take long block nothing', () => {
	const { run } = story();
	const ticks = Array.from({ length: 10 }, () => ({ ms: 10 }));
	run(ticks);
	assert.deepEqual(new Set(run(ticks).blocked), new Set([0]));
});

test('without a clock nothing is read', () => {
	const { clock, run } = story();
	clock.isOn = false;
	assert.deepEqual(run([{ ms: 60 }, { ms: 60, isNew: true }]), { blocked: [0, 0], readings: 0 });
});
