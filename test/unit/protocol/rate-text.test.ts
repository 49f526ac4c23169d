// How often operations come, as text.
import assert from 'node:assert/strict';
import test from 'node:test';
import { rateText } from '../../../src/protocol/latency.ts';

test('a rate that no session can have gives no text with Infinity or NaN in it', () => {
	const texts = [null, 0, 5e-324, 1e-12, 0.5, 12].map((perSecond) => rateText({ perSecond }));
	assert.deepEqual(texts, ['', '', '', '', '30/min', '12/s']);
});
