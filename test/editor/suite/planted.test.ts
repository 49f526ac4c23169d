// A test that fails, for harness.test.ts: a run that contains it must turn red. No other run loads this file.
import assert from 'node:assert/strict';

describe('a planted fault', () => {
	it('fails', () => assert.equal('planted', 'found'));
});
