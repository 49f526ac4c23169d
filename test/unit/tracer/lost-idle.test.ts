// The sleep of a loop that Node's idle time lacks, from the kernel's count of busy time. All in µs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LostCpu } from '../../../tracer/stacks/lost-cpu.ts';
import { LostIdle } from '../../../tracer/stacks/lost-idle.ts';

/** A thread whose busy time the test sets. */
function thread(busy = 500) {
	const kernel = { busy };
	return { kernel, lost: new LostIdle(() => kernel.busy, new LostCpu(() => null), 0) };
}

test('a sleep that was interrupted: all but its last piece was missing', () => {
	const { kernel, lost } = thread();
	// 100 ms, of which 2 were code and 5 the piece that Node has counted.
	kernel.busy += 2000;
	assert.equal(lost.between(100_000, 5000, 94_000), 93_000);
	assert.equal(lost.total, 93);
});

test('code that ran behind an await and then an uninterrupted sleep: nothing is missing', () => {
	const { kernel, lost } = thread();
	kernel.busy += 30_000;
	assert.equal(lost.between(100_000, 70_000, 30_000), 0);
});

test('sleep before the last reading of the kernel’s count no longer counts', () => {
	const { kernel, lost } = thread();
	assert.equal(lost.between(50_000, 49_500, 500), 0, 'too short to ask');
	kernel.busy += 1000;
	assert.equal(lost.between(100_000, 10_000, 40_000), 39_500);
	kernel.busy += 20_000;
	assert.equal(lost.between(200_000, 80_000, 20_000), 0);
});

test('a loop that has not slept lacks no sleep', () => {
	const { lost } = thread();
	assert.equal(lost.between(100_000, 0, 90_000), 0);
});

test('while something blocked the loop the thread may have slept, but the loop did not', () => {
	const { kernel, lost } = thread();
	// 450 ms behind an await, in which the loop was 350 ms late to wake us: `execSync`.
	kernel.busy += 5000;
	assert.equal(lost.between(500_000, 20_000, 450_000, 350_000), 100_000);
	const other = thread();
	other.kernel.busy += 2000;
	assert.equal(other.lost.between(100_000, 5000, 94_000, 900), 93_000, 'as late as any wait may be');
});

test('never more than the time between the callbacks', () => {
	const { lost } = thread();
	assert.equal(lost.between(100_000, 1000, 20_000), 20_000);
});

test('where the kernel has no such count, nothing is added', () => {
	const { lost } = thread(-1);
	assert.equal(lost.between(100_000, 5000, 95_000), 0);
});
