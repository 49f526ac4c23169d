// Changes of the tree are announced when VS Code is ready for them, none is lost, and none waits for minutes.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ChangeAnnouncer } from '../../../src/vscode/tree/change-announcer.ts';
import { MockedClock } from '../../support/mocked-clock.ts';

describe('changes of the tree', () => {
	let clock: MockedClock;
	let announced: number[] = [];
	let isStale = false;
	let announcer: ChangeAnnouncer;

	beforeEach(() => {
		clock = new MockedClock();
		announced = [];
		isStale = false;
		announcer = new ChangeAnnouncer(
			() => isStale,
			() => announced.push(clock.nowMs),
		);
	});
	afterEach(() => {
		announcer.dispose();
		clock.restore();
	});

	function change(): void {
		isStale = true;
		announcer.request();
	}

	function requestRoots(areAny = true): void {
		isStale = false;
		announcer.rootsRequested(areAny);
	}

	/** VS Code draws the roots, and at once or after a while what is below them. */
	function draw(betweenMs = 0): void {
		requestRoots();
		clock.pass(betweenMs);
		announcer.rowsRequested();
	}

	it('are announced at once, and again a second after VS Code has requested the rows', () => {
		change();
		clock.pass(30);
		draw();
		change();
		clock.pass(2000);
		assert.deepEqual(announced, [0, 1030]);
	});

	it('are not announced while nothing has changed', () => {
		announcer.request();
		draw();
		announcer.request();
		clock.pass(60_000);
		assert.deepEqual(announced, []);
	});

	it('are announced once, however often there are more before VS Code requests the rows', () => {
		for (let each = 0; each < 5; each++) {
			change();
			clock.pass(1000);
		}
		assert.deepEqual(announced, [0]);
	});

	it('wait for the rows below the roots, which VS Code would lose, as when it draws the tree first', () => {
		requestRoots();
		clock.pass(10);
		change();
		clock.pass(4000);
		assert.deepEqual(announced, []);
		announcer.rowsRequested();
		clock.pass(2000);
		assert.deepEqual(announced, [5010]);
	});

	it('are announced again after ten seconds in which VS Code has not requested the roots: it has lost them', () => {
		draw();
		clock.pass(5000);
		change();
		clock.pass(10_500);
		draw();
		clock.pass(60_000);
		assert.deepEqual(announced, [5000, 15_000]);
	});

	it('wait for a second at most after somebody has expanded a row, however long nothing has changed before', () => {
		change();
		draw();
		clock.pass(600_000);
		announcer.rowsRequested();
		change();
		clock.pass(2000);
		draw();
		change();
		clock.pass(2000);
		assert.deepEqual(announced, [0, 601_000, 603_000]);
	});

	it('wait for a second where there were no roots', () => {
		requestRoots(false);
		change();
		clock.pass(1000);
		draw();
		assert.deepEqual(announced, [1000]);
	});

	it('wait for ten seconds when everything has been collapsed, and from then on for one', () => {
		draw();
		requestRoots();
		change();
		clock.pass(10_000);
		assert.deepEqual(announced, [10_000]);
		for (let each = 0; each < 3; each++) {
			requestRoots();
			change();
			clock.pass(1000);
		}
		assert.deepEqual(announced, [10_000, 11_000, 12_000, 13_000]);
	});

	it('wait for the rows again once something is expanded', () => {
		requestRoots();
		requestRoots();
		draw();
		requestRoots();
		change();
		clock.pass(5000);
		assert.deepEqual(announced, []);
	});

	it('are not announced while the tree is hidden, and at once when it is shown', () => {
		draw();
		change();
		isStale = false;
		clock.pass(60_000);
		change();
		assert.deepEqual(announced, [60_000]);
	});

	it('that a person asked for are announced at once', () => {
		draw();
		isStale = true;
		announcer.requestAtOnce();
		assert.deepEqual(announced, [0]);
	});

	it('are no longer announced once the tree is disposed', () => {
		draw();
		change();
		announcer.dispose();
		announcer.request();
		clock.pass(60_000);
		assert.deepEqual(announced, []);
	});
});
