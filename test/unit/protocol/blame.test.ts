// What took the time of several blocks together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computedIn } from '../../../src/protocol/blame.ts';
import { block, culprit } from '../../support/report-values.ts';

/** One block for each: what the function had called, and for how long it ran, in ms. */
function apiOf(...called: [api: string | null, selfMs: number][]): string | null {
	const blocks = called.map(([api, selfMs]) => block({ culprits: [culprit({ api, selfMs, totalMs: selfMs })] }));
	const [most, ...others] = computedIn(blocks);
	assert.equal(others.length, 0);
	assert.equal(
		most!.selfMs,
		called.reduce((sum, [, ms]) => sum + ms, 0),
	);
	return most!.api;
}

test('a function’s call is the one that took most of its time in all blocks, not that of the first block', () => {
	assert.equal(apiOf(['readdirSync', 226], ['statSync', 8128], ['readdirSync', 226]), 'statSync');
	assert.equal(apiOf(['readFileSync', 100], [null, 900]), null);
});

test('where none took most of the time, none is named', () => {
	assert.equal(apiOf(['readdirSync', 100], ['statSync', 110]), null);
});
