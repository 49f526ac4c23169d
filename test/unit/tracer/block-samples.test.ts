// Which stack stands for which part of a block.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampledStretches } from '../../../tracer/stacks/block-samples.ts';
import type { WindowStacks } from '../../../tracer/stacks/frames.ts';

const OFFSET = 1_000_000;
const NAMES = ['prepare', 'save', 'next'];

/** A window with samples [time in ms, name]. */
function windowOf(...samples: [ms: number, name: string][]): WindowStacks {
	const times = samples.map(([ms]) => ms * 1000);
	const profile = {
		startTime: 0,
		samples: samples.map(([, name]) => NAMES.indexOf(name)),
		timeDeltas: times.map((at, index) => at - (times[index - 1] ?? 0)),
	};
	return {
		window: { profile, toHrtime: OFFSET },
		isCollection: () => false,
		of: (id: number) => ({ frames: [{ script: `/app/${NAMES[id]}.js`, line: 1, column: 1, lines: [] }], api: '' }),
	} as unknown as WindowStacks;
}

/** `name from–to`, in ms. */
function stretches(windows: WindowStacks[], from: number, to: number): string[] {
	return sampledStretches(windows, OFFSET + from * 1000, OFFSET + to * 1000).map(({ stack, ...time }) => {
		const [name] = /\w+(?=\.js)/.exec(stack.frames[0]!.script)!;
		return `${name} ${(time.from - OFFSET) / 1000}–${(time.to - OFFSET) / 1000}`;
	});
}

test('two functions of 30 ms each have the same share: a sample stands for the time around it, up to halfway to the next', () => {
	const all = [windowOf([5, 'next'], [25, 'prepare'], [45, 'prepare']), windowOf([65, 'save'], [85, 'save'])];
	assert.deepEqual(stretches(all, 10, 90), ['prepare 10–55', 'save 55–90']);
	const summed = new Map<string, number>();
	for (let phase = 1; phase < 20; phase += 2) {
		const samples = [phase, phase + 20, phase + 40].map((ms): [number, string] => [ms, ms < 30 ? 'prepare' : 'save']);
		for (const each of stretches([windowOf(...samples)], 0, 60)) {
			const [name, from, to] = each.split(/[ –]/);
			summed.set(name!, (summed.get(name!) ?? 0) + Number(to) - Number(from));
		}
	}
	assert.deepEqual(
		[...summed],
		[
			['prepare', 300],
			['save', 300],
		],
	);
});

test('a large write is not blamed on the function before it: the sample at its end is late, and stands for it', () => {
	const late = windowOf([20, 'prepare'], [340, 'save'], [360, 'next']);
	assert.deepEqual(stretches([late], 10, 370), ['prepare 10–30', 'save 30–350', 'next 350–370']);
});

test('so does one that is late just behind the end of the block, and no other one', () => {
	assert.deepEqual(stretches([windowOf([20, 'prepare'], [340.5, 'save'])], 10, 340), ['prepare 10–30', 'save 30–340']);
	assert.deepEqual(stretches([windowOf([20, 'prepare'], [345, 'next'])], 10, 340), ['prepare 10–340']);
	assert.deepEqual(stretches([windowOf([330, 'prepare'], [340.5, 'next'])], 10, 340), ['prepare 10–340']);
});
