// For how long something was under way: compared with the union of all waits, laid out microsecond by microsecond.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WallTime } from '../../../src/engine/common/wall-time.ts';
import { random } from '../../support/random.ts';
import { Story } from '../../support/story.ts';

interface Wait {
	from: number;
	to: number;
}

/** How many µs lie in at least one of the waits. */
function union(waits: readonly Wait[]): number {
	const us = new Set<number>();
	for (const { from, to } of waits) for (let at = from; at < to; at++) us.add(at);
	return us.size;
}

function wallOf(waits: readonly Wait[]): WallTime {
	const wall = new WallTime();
	for (const { from, to } of waits) wall.add(from, to);
	return wall;
}

test('waits are laid over one another exactly, in the order of their ends and in any other', () => {
	const chance = random(7);
	const below = (end: number) => Math.floor(chance() * end);
	for (let round = 0; round < 300; round++) {
		const waits = Array.from({ length: 1 + below(14) }, () => {
			const from = below(200);
			return { from, to: from + below(60) };
		});
		assert.equal(wallOf(waits).us, union(waits), JSON.stringify(waits));
		assert.equal(wallOf(waits.toSorted((a, b) => a.to - b.to)).us, union(waits));
	}
});

test('with more gaps than are kept, the time is never more than the true one, and exact where no wait spans them', () => {
	const chance = random(8);
	const below = (end: number) => Math.floor(chance() * end);
	const short = Array.from({ length: 500 }, (_, i) => ({ from: 10 * i, to: 10 * i + 1 + below(8) }));
	assert.equal(wallOf(short).us, union(short));
	const spanned = [...short, { from: 0, to: 5000 }];
	const { us } = wallOf(spanned);
	assert.ok(us > union(short) && us <= union(spanned), `${us} µs`);
});

test('threads that waited one after the other add up, of those at the same time the longer counts', () => {
	const [first, second] = [wallOf([{ from: 0, to: 40 }]), wallOf([{ from: 0, to: 30 }])];
	const after = new WallTime();
	after.addAll(first);
	after.addAll(second, 100);
	assert.equal(after.us, 70);
	const meanwhile = new WallTime();
	meanwhile.addAll(first);
	meanwhile.addAll(second, 20);
	assert.equal(meanwhile.us, 40);
});

test('twenty waits in a row take more wall time than twenty at once, and come less often', () => {
	const api: [string, string] = ['fetch', 'node:internal/process/pre_execution'];
	const story = new Story();
	for (let i = 0; i < 20; i++) story.start(100 + i, 'FETCH', 3, 0, { api });
	for (let i = 0; i < 20; i++) story.callback(100 + i, 52, { idle: i === 0 ? 52 : 0 });
	for (let i = 0; i < 20; i++) {
		const at = 100 + 34 * i;
		story.start(200 + i, 'FETCH', 5, at, { api }).callback(200 + i, at + 34, { idle: 34 });
	}
	const [together, inRow] = story.report().lines;
	assert.deepEqual([together!.wallMs, together!.maxInFlight, together!.wait!.totalMs], [52, 20, 20 * 52]);
	assert.deepEqual([inRow!.wallMs, inRow!.maxInFlight, inRow!.wait!.totalMs], [680, 1, 680]);
	assert.equal(Math.round(together!.perSecond!), Math.round(20 / 0.052));
	assert.equal(Math.round(inRow!.perSecond!), Math.round(20 / 0.68));
});

test('what the callback of one wait starts on its own line comes after it', () => {
	const api: [string, string] = ['fetch', 'node:internal/process/pre_execution'];
	const story = new Story().start(2, 'FETCH', 3, 0, { api });
	for (let id = 2; id < 5; id++) {
		const at = 10 * id;
		story
			.begin(id, at, { idle: 9 })
			.start(id + 1, 'FETCH', 3, at + 1, { api })
			.end(at + 1);
	}
	assert.equal(story.report().lines[0]!.maxInFlight, 1);
});

test('a timer is under way from when it is due', () => {
	const story = new Story();
	story.start(2, 'Timeout', 3, 0, { api: ['setTimeout', 'node:timers'], delay: 500 }).callback(2, 507);
	assert.equal(story.report().lines[0]!.wallMs, 7);
});
