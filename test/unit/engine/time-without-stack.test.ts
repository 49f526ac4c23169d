// Time of a block without a stack of the program: whose it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StackTime } from '../../../src/engine/loop/loop-block.ts';
import type { SampledStack } from '../../../src/engine/loop/stack-samples.ts';
import { withCauses } from '../../../src/engine/loop/time-without-stack.ts';

function stack(name: string, api = ''): SampledStack {
	const place = { script: '/app/main.js', line: 3, column: 1 };
	return { frames: name === '' ? [] : [{ place, name, lines: [], isLibrary: false }], api };
}

/** The time of each stack, µs, and of that how much was garbage collection. */
function timesOf(...found: [stack: SampledStack, us: number, collectionUs?: number][]): [number, number][] {
	const times = found.map(([of, us, collectionUs = 0]): [SampledStack, StackTime] => [of, { us, collectionUs }]);
	return [...withCauses(new Map(times)).values()].map(({ us, collectionUs }) => [us, collectionUs]);
}

test('time between ticks is that of the functions that the ticks call', () => {
	assert.deepEqual(timesOf([stack('drain'), 30], [stack('other'), 10], [stack('', 'processTicksAndRejections'), 60]), [
		[75, 0],
		[25, 0],
		[0, 0],
	]);
});

test('a collection of which V8 gives no stack is that of the functions in the same block', () => {
	assert.deepEqual(timesOf([stack('sumAll'), 40, 10], [stack(''), 60, 50]), [
		[90, 60],
		[10, 0],
	]);
});

test('native code is nobody’s, and neither is what functions that hardly ran cannot have caused', () => {
	assert.deepEqual(timesOf([stack('drain'), 40], [stack(''), 60]), [
		[40, 0],
		[60, 0],
	]);
	assert.deepEqual(timesOf([stack('drain'), 9], [stack('', 'processTicksAndRejections'), 91]), [
		[9, 0],
		[91, 0],
	]);
});
