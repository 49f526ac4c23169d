// The engine's own map against the language's, over the comings and goings of operations.
import assert from 'node:assert/strict';
import test from 'node:test';
import { IdMap } from '../../../src/engine/common/id-map.ts';
import { random } from '../../support/random.ts';

interface Value {
	id: number;
	turn: number;
}

for (const [what, open, idOf] of [
	['a few under way', 10, (i: number) => i],
	['thousands under way', 5000, (i: number) => i],
	['ids of several threads', 300, (i: number) => i * 65_536 + (i % 3)],
	['ids that come again', 100, (i: number) => (i * 7) % 250],
] as const) {
	test(`has the values of a Map, in its order: ${what}`, () => {
		const next = random(open);
		const ours = new IdMap<Value>();
		const truth = new Map<number, Value>();
		for (let turn = 0; turn < 30_000; turn++) {
			const id = idOf(turn);
			ours.set(id, { id, turn });
			truth.set(id, { id, turn });
			if (next() < 0.01 || truth.size > open) {
				const gone = [...truth.keys()].filter(() => next() < 0.7);
				for (const key of gone) assert.equal(ours.delete(key), truth.delete(key));
			}
			const other = idOf(Math.floor(next() * turn));
			assert.deepEqual(ours.get(other), truth.get(other));
			assert.equal(ours.delete(other), truth.delete(other));
			assert.equal(ours.has(other), false);
			assert.equal(ours.size, truth.size);
			assert.deepEqual(ours.oldest(), truth.values().next().value);
			if (turn % 1000 === 0) assert.deepEqual([...ours], [...truth.values()]);
		}
		ours.clear();
		assert.deepEqual([[...ours], ours.size, ours.oldest(), ours.get(idOf(1))], [[], 0, undefined, undefined]);
	});
}
