// For how much of a block the thread had no CPU, from the kernel's counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CpuTimes, LostCpu } from '../../../tracer/stacks/lost-cpu.ts';

/** What is said of the block between the last two readings; each is [when, ran, waited] in ms. */
function lostIn(readings: [at: number, ran: number, waited: number][], from: number, to: number): number {
	let now: CpuTimes | null = null;
	const lost = new LostCpu(() => now);
	for (const [at, ran, waited] of readings) {
		now = { ran: ran * 1000, waited: waited * 1000 };
		lost.look(at * 1000);
	}
	return lost.in(from * 1000, to * 1000) / 1000;
}

test('what a thread waited for a CPU in a block is lost', () => {
	assert.equal(
		lostIn(
			[
				[0, 10, 5],
				[100, 30, 85],
			],
			0,
			100,
		),
		80,
	);
});

test('what it slept in a call of the system is not, nor what it waited after the block', () => {
	const slept: [number, number, number][] = [
		[0, 10, 5],
		[100, 30, 7],
	];
	assert.equal(lostIn(slept, 0, 100), 2);
	const later: [number, number, number][] = [
		[0, 10, 5],
		[400, 95, 205],
	];
	assert.equal(lostIn(later, 0, 90), 5);
});

test('a block that began before the readings, or that they do not reach, has lost nothing that is known', () => {
	const readings: [number, number, number][] = [
		[10, 10, 5],
		[100, 30, 85],
	];
	assert.equal(lostIn(readings, 5, 100), 0);
	assert.equal(lostIn(readings, 10, 110), 0);
	assert.equal(lostIn(readings.slice(1), 10, 100), 0);
});

test('the kernel is asked no more often than every 5 ms', () => {
	let asked = 0;
	const lost = new LostCpu(() => {
		asked++;
		return { ran: 0, waited: 0 };
	});
	for (let us = 0; us < 20_000; us += 100) lost.look(us);
	assert.equal(asked, 4);
});
