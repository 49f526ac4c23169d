// The journal's clock while a debugger is about to stop the thread. Times are µs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { JournalClock } from '../../../tracer/process/journal-clock.ts';

/** More readings than a clock that stands still answers. */
const MANY = 2000;

test('it stands still from the first reading on, which is when code ran again, and then shows the time as before', async () => {
	const clock = new JournalClock();
	const stopped = clock.stop(false);
	await delay(20);
	const first = clock.now();
	// `Date` counts whole ms.
	assert.ok(first >= stopped - Number(clock.beganNs) / 1000 + 18_000, `${first}`);
	await delay(20);
	assert.equal(clock.now(), first);
	assert.equal(clock.go(), true);
	assert.ok(clock.now() >= first + 18_000);
});

test('within a callback it stands still at once, and knows when nothing has run', async () => {
	const clock = new JournalClock();
	const stopped = clock.stop(true);
	await delay(20);
	// `stopped` is µs since the machine began, as a fraction.
	assert.ok(Math.abs(clock.now() - (stopped - Number(clock.beganNs) / 1000)) < 1);
	clock.stop(false);
	assert.equal(clock.go(), false);
});

test('it goes on by itself when whoever stopped it never comes back', () => {
	const clock = new JournalClock();
	clock.stop(false);
	for (let reading = 0; reading < MANY; reading++) clock.now();
	assert.equal(clock.isStill, false);
});
