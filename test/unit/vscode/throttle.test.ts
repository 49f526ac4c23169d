// Updates that wait for a pause in the typing still come when there is none.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Throttle } from '../../../src/vscode/common/throttle.ts';

const INTERVAL_MS = 100;

describe('a throttle', () => {
	let nowMs = 0;
	let runs: number[] = [];
	let throttle: Throttle;

	beforeEach(() => {
		mock.timers.enable({ apis: ['setTimeout'] });
		mock.method(performance, 'now', () => nowMs);
		nowMs = 1000;
		runs = [];
		throttle = new Throttle(
			() => runs.push(nowMs),
			() => INTERVAL_MS,
		);
	});
	afterEach(() => {
		throttle.dispose();
		mock.restoreAll();
		mock.timers.reset();
	});

	function pass(ms: number): void {
		for (let each = 0; each < ms; each++) {
			nowMs++;
			mock.timers.tick(1);
		}
	}

	it('acts at once when it was quiet, and once more an interval later for all that came meanwhile', () => {
		throttle.request();
		throttle.request();
		pass(50);
		throttle.request();
		pass(500);
		assert.deepEqual(runs, [1000, 1100]);
	});

	it('acts an interval after the last call where it waits for a pause', () => {
		for (let key = 0; key < 5; key++) {
			throttle.requestAfterPause();
			throttle.request();
			pass(30);
		}
		pass(500);
		assert.deepEqual(runs, [1220]);
	});

	it('acts after ten intervals though no pause comes, and then after ten more', () => {
		for (let key = 0; key < 100; key++) {
			throttle.requestAfterPause();
			pass(30);
		}
		assert.deepEqual(runs, [2000, 3020]);
	});

	it('no longer acts once it is disposed', () => {
		throttle.requestAfterPause();
		throttle.dispose();
		throttle.requestAfterPause();
		pass(500);
		assert.deepEqual(runs, []);
	});
});
