// Which tick blocked the loop, found with as few clock readings as possible. The time is the story's own.
import assert from 'node:assert/strict';
import test from 'node:test';
import { TickClock } from '../../../tracer/run/tick-clock.ts';

interface Tick {
	ms: number;
	isNew?: boolean;
	/** Ticks of different lines by default. */
	line?: string;
}

/**
 * A clock whose ticks take the given ms each, one after the other; which of them are reported to have blocked the loop,
 * by the line of the last one, and for how many ms, and how often the clock was read.
 */
function story() {
	let now = 0;
	let readings = 0;
	const clock = new TickClock<string>(() => {
		readings++;
		return now;
	});
	return {
		clock,
		run(ticks: Tick[]): { blocked: Record<string, number>; readings: number } {
			readings = 0;
			clock.follow(now, ticks.length > 0);
			const blocked: Record<string, number> = {};
			let before = '';
			for (const [index, { ms, isNew = false, line = `line ${index}` }] of ticks.entries()) {
				add(before, clock.begin(line, isNew));
				now += ms * 1000;
				before = line;
			}
			add(before, clock.end());
			return { blocked, readings };

			function add(line: string, us: number): void {
				if (us > 0) blocked[line] = (blocked[line] ?? 0) + us / 1000;
			}
		},
	};
}

test('ticks that block nothing cost one reading, however many they are', () => {
	assert.deepEqual(story().run([{ ms: 1 }, { ms: 2 }, { ms: 1 }]), { blocked: {}, readings: 1 });
});

test('when a block was over stays known, however long it takes until it is written down', () => {
	let now = 0;
	const clock = new TickClock<string>(() => now);
	clock.follow(now, true);
	clock.begin('line', false);
	now = 60_000;
	assert.equal(clock.end(), 60_000);
	now += 300_000;
	assert.equal(clock.readAt, 60_000);
});

test('a tick alone is known at once, and so is one of a new line among others', () => {
	assert.deepEqual(story().run([{ ms: 60 }]).blocked, { 'line 0': 60 });
	assert.deepEqual(story().run([{ ms: 1 }, { ms: 60, isNew: true }, { ms: 1 }]).blocked, { 'line 1': 60 });
});

test('ticks of one line that schedule each other block the loop as one, however many they are', () => {
	const chain = Array.from({ length: 1000 }, (_, index) => ({ ms: 1, line: 'again', isNew: index < 16 }));
	assert.deepEqual(story().run(chain), { blocked: { again: 1000 }, readings: 2 });
	const { blocked } = story().run([{ ms: 1, isNew: true }, ...chain, { ms: 1, isNew: true }]);
	assert.deepEqual(blocked, { again: 1000 });
});

test('one of several known lines that blocks the loop is identified from the next time on', () => {
	const { run } = story();
	const ticks = [{ ms: 1 }, { ms: 60 }, { ms: 1 }];
	assert.deepEqual(run(ticks).blocked, {}, 'which of the three is unknown');
	assert.deepEqual(run(ticks).blocked, { 'line 1': 60 });
});

test('ticks of several lines that only together take long block nothing', () => {
	const { run } = story();
	const ticks = Array.from({ length: 10 }, () => ({ ms: 10 }));
	run(ticks);
	assert.deepEqual(run(ticks).blocked, {});
});

test('without a clock nothing is read', () => {
	const { clock, run } = story();
	clock.turn(false);
	assert.deepEqual(run([{ ms: 60 }, { ms: 60, isNew: true }]), { blocked: {}, readings: 0 });
});
