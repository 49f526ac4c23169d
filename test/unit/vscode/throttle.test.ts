// Updates that wait for a pause in the typing still come when there is none.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Throttle } from '../../../src/vscode/common/throttle.ts';
import { MockedClock } from '../../support/mocked-clock.ts';

const INTERVAL_MS = 100;

describe('a throttle', () => {
	let clock: MockedClock;
	let runs: number[] = [];
	let throttle: Throttle;

	beforeEach(() => {
		clock = new MockedClock(1000);
		runs = [];
		throttle = new Throttle(
			() => runs.push(clock.nowMs),
			() => INTERVAL_MS,
		);
	});
	afterEach(() => {
		throttle.dispose();
		clock.restore();
	});

	it('acts at once when it was quiet, and once more an interval later for all that came meanwhile', () => {
		throttle.request();
		throttle.request();
		clock.pass(50);
		throttle.request();
		clock.pass(500);
		assert.deepEqual(runs, [1000, 1100]);
	});

	it('acts an interval after the last call where it waits for a pause', () => {
		for (let key = 0; key < 5; key++) {
			throttle.requestAfterPause();
			throttle.request();
			clock.pass(30);
		}
		clock.pass(500);
		assert.deepEqual(runs, [1220]);
	});

	it('acts after ten intervals though no pause comes, and then after ten more', () => {
		for (let key = 0; key < 100; key++) {
			throttle.requestAfterPause();
			clock.pass(30);
		}
		assert.deepEqual(runs, [2000, 3020]);
	});

	it('no longer acts once it is disposed', () => {
		throttle.requestAfterPause();
		throttle.dispose();
		throttle.requestAfterPause();
		clock.pass(500);
		assert.deepEqual(runs, []);
	});
});
