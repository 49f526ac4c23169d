// What V8 leaves out of samples: the stacks of collections, and functions that call one of V8's without a frame.
import assert from 'node:assert/strict';
import test from 'node:test';
import { FunctionLines } from '../../../tracer/stacks/function-lines.ts';
import { completed, type StackStretch } from '../../../tracer/stacks/incomplete-stacks.ts';
import type { ProfiledFrame } from '../../../tracer/stacks/sampled-frame.ts';

function frame(name: string, lines: number[] = [], isLibrary = false): ProfiledFrame {
	const script = isLibrary ? '/app/node_modules/router/layer.js' : '/app/main.js';
	return { script, name, line: name.length, column: 1, lines, isLibrary };
}

const main = frame('main');
const layer = (lines: number[] = []) => frame('handleRequest', lines, true);
const handler = frame('render', [7]);

/** One stretch of 10 µs after the other. */
function stretches(...all: { frames: ProfiledFrame[]; isCollection?: boolean; api?: string }[]): StackStretch[] {
	return all.map(({ frames, isCollection = false, api = '' }, at) => ({
		stack: { frames, api },
		isCollection,
		from: at * 10,
		to: at * 10 + 10,
	}));
}

function names(all: readonly StackStretch[]): string[] {
	return all.map(({ stack }) => stack.frames.map(({ name }) => name).join(' < '));
}

test('a collection between samples of a function and of its caller is the function’s', () => {
	const inner = { frames: [handler, layer(), main] };
	const outer = { frames: [layer([169, 170]), main] };
	const collection = { frames: [], isCollection: true };
	assert.equal(names(completed(stretches(outer, collection, inner)))[1], 'render < handleRequest < main');
	assert.equal(names(completed(stretches(inner, collection, outer)))[1], 'render < handleRequest < main');
});

test('a collection between samples of two functions is not blamed on the first one', () => {
	const first = { frames: [frame('parse', [3]), frame('serve', [9])] };
	const second = { frames: [frame('render', [5]), frame('serve', [9])] };
	const collection = { frames: [], isCollection: true };
	const [, found] = completed(stretches(first, collection, second));
	assert.deepEqual(found!.stack, { frames: [{ ...frame('serve'), lines: [] }], api: '' });
	const unrelated = completed(stretches(first, collection, { frames: [frame('other one')] }));
	assert.deepEqual(names(unrelated), ['parse < serve', '', 'other one']);
});

test('a collection at the begin or end of a block is that of its only neighbour', () => {
	const collection = { frames: [], isCollection: true };
	const inner = { frames: [handler, main] };
	assert.deepEqual(names(completed(stretches(collection, inner))), ['render < main', 'render < main']);
	assert.deepEqual(names(completed(stretches(inner, collection))), ['render < main', 'render < main']);
	assert.deepEqual(names(completed(stretches(collection))), ['']);
});

test('a library’s function that is seen only where it calls the user’s function is not blamed for that one’s time', () => {
	const inner = { frames: [handler, layer(), main] };
	assert.deepEqual(names(completed(stretches(inner, { frames: [layer([169]), main] }))), [
		'render < handleRequest < main',
		'render < handleRequest < main',
	]);
	// It computes on several lines, or has called Node's functions, or the user's function is another one's.
	for (const outer of [
		{ frames: [layer([169, 170]), main] },
		{ frames: [layer([169]), main], api: 'readFileSync' },
		{ frames: [layer([169]), frame('another')] },
		{ frames: [frame('outer', [3]), main] },
	]) {
		assert.equal(names(completed(stretches(inner, outer)))[1], outer.frames.map(({ name }) => name).join(' < '));
	}
});

test('a line of this window comes before the line on which other windows found the function more often', () => {
	const lines = new FunctionLines();
	lines.add('f', [{ line: 5, ticks: 100 }]);
	const now = [
		{ line: 6, ticks: 2 },
		{ line: 7, ticks: 2 },
		{ line: 7, ticks: 1 },
	];
	lines.add('f', now);
	assert.deepEqual(lines.of('f', now), [7, 6, 5]);
	assert.deepEqual(lines.of('f'), [5, 7, 6]);
	assert.deepEqual([lines.of('f', now, false), lines.of('f', [], false)], [[7, 6], []], 'it had called something');
});
