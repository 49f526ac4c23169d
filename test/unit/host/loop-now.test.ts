// How busy a loop is now: in the last stretch alone, and in one in which nothing was recorded.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LoopNow } from '../../../src/host/injection/loop-now.ts';

const PID = 7;
/** A journal at `nowMs`, up to which the loop was idle for `idleMs`. */
const times = (nowMs: number, idleMs: number, threadId = 0) => ({
	journal: `thread ${threadId}`,
	pid: PID,
	threadId,
	nowUs: nowMs * 1000,
	idleUs: idleMs * 1000,
	isStopped: false,
});

const seen = () => true;
/** What is known of the main thread's loop. */
const share = (loops: LoopNow) => loops.of(PID).find(({ threadId }) => threadId === 0)?.utilization ?? null;

test('it is unknown before the first stretch is over', () => {
	const loops = new LoopNow();
	assert.equal(share(loops), null);
	assert.equal(loops.look([times(0, 0)], 0, seen), false);
	assert.equal(loops.look([times(900, 0)], 900, seen), false);
	assert.equal(share(loops), null);
	assert.equal(loops.look([times(1000, 250)], 1000, seen), true);
	assert.equal(share(loops), 0.75);
});

test('the share is that of the last stretch, whatever was before', () => {
	const loops = new LoopNow();
	loops.look([times(0, 0)], 0, seen);
	loops.look([times(3_600_000, 3_600_000)], 3_600_000, seen);
	assert.equal(share(loops), 0);
	loops.look([times(3_601_000, 3_600_100)], 3_601_000, seen);
	assert.equal(share(loops), 0.9);
});

test('a loop that records nothing and can be watched sleeps', () => {
	const loops = new LoopNow();
	loops.look([times(0, 0)], 0, seen);
	loops.look([times(1000, 0)], 1000, seen);
	assert.equal(share(loops), 1);
	assert.equal(loops.look([times(1000, 0)], 1900, seen), false);
	loops.look([times(1000, 0)], 2000, seen);
	assert.equal(share(loops), 0);
	assert.equal(loops.look([times(1000, 0)], 3000, seen), false, 'and changes no more');
	loops.look([times(1400, 300)], 5000, seen);
	assert.equal(share(loops), 0.05, '100 ms of the 2 s since the last look that counted');
});

test('a loop that a debugger has stopped is neither busy nor idle, and the stop counts in no stretch', () => {
	const loops = new LoopNow();
	const stopped = (nowMs: number, idleMs: number) => ({ ...times(nowMs, idleMs), isStopped: true });
	loops.look([times(0, 0)], 0, seen);
	loops.look([times(1000, 750)], 1000, seen);
	assert.equal(share(loops), 0.25);
	for (let at = 1500; at <= 9000; at += 500) {
		assert.equal(loops.look([stopped(1400, 1050)], at, seen), false);
		assert.equal(share(loops), 0.25);
	}
	loops.look([times(2400, 1550)], 10_000, seen);
	assert.equal(share(loops), 0.5);
});

test('each thread has its own, and one that has ended counts no more', () => {
	const loops = new LoopNow();
	loops.look([times(0, 0), times(0, 0, 1)], 0, seen);
	loops.look([times(1000, 900), times(1000, 500, 1)], 1000, seen);
	assert.deepEqual(loops.of(PID), [
		{ threadId: 0, utilization: 0.1 },
		{ threadId: 1, utilization: 0.5 },
	]);
	loops.look([times(1100, 990)], 1100, seen);
	assert.deepEqual(
		loops.of(PID).map(({ threadId }) => threadId),
		[0],
	);
	assert.deepEqual(loops.of(PID + 1), []);
});

test('the state of a silent loop that cannot be watched is unknown: it may be blocked', () => {
	const loops = new LoopNow();
	loops.look([times(0, 0)], 0, seen);
	loops.look([times(1000, 0)], 1000, seen);
	assert.equal(
		loops.look([times(1000, 0)], 2000, () => false),
		true,
	);
	assert.equal(share(loops), null);
});
