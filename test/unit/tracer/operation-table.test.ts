// Operations by async id: found until their last callback, forgotten only when they have long been unused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OperationTable } from '../../../tracer/operations/operation-table.ts';

/** Ids that differ by a multiple of this have the same place. */
const APART = 1 << 20;

describe('table of operations', () => {
	it('finds each of many operations until it is deleted', () => {
		const table = new OperationTable<string>(10_000);
		for (let id = 1; id <= 5000; id++) table.set(id, `operation ${id}`);
		for (let id = 1; id <= 5000; id++) assert.equal(table.get(id), `operation ${id}`);
		for (let id = 2; id <= 5000; id += 2) table.delete(id);
		for (let id = 1; id <= 5000; id++) assert.equal(table.get(id), id % 2 === 1 ? `operation ${id}` : undefined);
	});

	it('keeps what was in a place that another one needs', () => {
		const table = new OperationTable<string>(10);
		table.set(7, 'first');
		table.set(7 + APART, 'second');
		table.set(7 + 2 * APART, 'third');
		assert.deepEqual(
			[7, 7 + APART, 7 + 2 * APART, 7 + 3 * APART].map((id) => table.get(id)),
			['first', 'second', 'third', undefined],
		);
		table.delete(7 + 2 * APART);
		table.delete(7);
		assert.deepEqual(
			[7, 7 + APART, 7 + 2 * APART].map((id) => table.get(id)),
			[undefined, 'second', undefined],
		);
	});

	it('finds nothing under an id that none has', () => {
		const table = new OperationTable<string>(10);
		assert.equal(table.get(0), undefined);
		assert.equal(table.get(1), undefined);
		table.set(1, 'one');
		table.delete(1);
		assert.equal(table.get(0), undefined);
		assert.equal(table.get(1), undefined);
	});

	it('forgets what is not used, and keeps what is', () => {
		const limit = 100;
		const table = new OperationTable<string>(limit);
		table.set(1, 'used');
		table.set(2, 'left');
		// Ids that all have the same two places, so that each of them moves on to the maps.
		for (let turn = 1; turn <= 3 * limit; turn++) {
			table.set(1 + turn * APART, 'other');
			table.set(2 + turn * APART, 'other');
			table.touch(1, 'used');
		}
		assert.equal(table.get(1), 'used');
		assert.equal(table.get(2), undefined);
	});

	it('is empty after it was cleared', () => {
		const table = new OperationTable<string>(10);
		table.set(1, 'one');
		table.set(1 + APART, 'two');
		table.clear();
		assert.equal(table.get(1), undefined);
		assert.equal(table.get(1 + APART), undefined);
	});
});
