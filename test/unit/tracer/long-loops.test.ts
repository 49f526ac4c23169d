// Which starts of a long loop are located by their stack, and on which line the others are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newOperation, type Operation } from '../../../tracer/operations/operation.ts';
import { kindOf } from '../../../tracer/process/kinds.ts';
import { Attribution } from '../../../tracer/sites/attribution.ts';
import { CONTINUED, type Site } from '../../../tracer/sites/site.ts';
import type { StackReader } from '../../../tracer/sites/stack-reader.ts';
import { siteAt } from '../../support/site.ts';

const kind = kindOf('EXCHANGE');
const timer = { beginRare: () => 0, endRare: () => undefined };

/** @param running the operation that runs @param framesNeeded see StackReader @param capture gives the site of a start, by its stack */
function attributionOf(running: Operation, framesNeeded: number, capture: () => Site): Attribution<Operation> {
	const reader = { framesNeeded, capture } as unknown as StackReader;
	const nothing = () => undefined;
	return new Attribution(running, reader, timer, nothing, nothing, { depth: 1 }, { began: 0 });
}

/** Starts at those sites in one run. @returns how many stacks were read, and how many starts are on each line */
function start(sites: readonly Site[], framesNeeded: number) {
	let captures = 0;
	let now = CONTINUED;
	const capture = () => {
		captures++;
		return now;
	};
	const main = newOperation(1, kindOf('MAIN'), CONTINUED, 1, 0);
	const attribution = attributionOf(main, framesNeeded, capture);
	attribution.enter(newOperation(2, kind, CONTINUED, 2, 0), false, null);
	const counts = new Map<Site, number>();
	for (const site of sites) {
		now = site;
		const located = attribution.locate(kind);
		counts.set(located, (counts.get(located) ?? 0) + 1);
	}
	return { captures, counts };
}

/** Turns of a loop that awaits what it starts at once: its last operation calls back, and then the next turn starts. @returns how many stacks were read */
function turns(site: Site, length: number, atOnce: number): number {
	let captures = 0;
	const capture = () => {
		captures++;
		return site;
	};
	const operation = newOperation(2, kind, site, 2, 0);
	const attribution = attributionOf(operation, 3, capture);
	for (let turn = 0; turn < length; turn++) {
		attribution.enter(operation, false, null);
		for (let i = 0; i < atOnce; i++) attribution.locate(kind);
	}
	return captures;
}

const [a, b] = [siteAt(1), siteAt(2)];
const MANY = 50_000;
const DEEP = 12;

test('50,000 starts of one run through a library need a fifth of the stacks', () => {
	const { captures, counts } = start(new Array<Site>(MANY).fill(a), DEEP);
	assert.deepEqual([...counts], [[a, MANY]]);
	assert.ok(captures <= MANY / 5, `${captures}`);
});

test('two lines that start the same alternately have what they started each, for a third of the stacks', () => {
	const sites = Array.from({ length: MANY }, (_, i) => (i % 2 === 0 ? a : b));
	const { captures, counts } = start(sites, DEEP);
	assert.deepEqual([counts.get(a), counts.get(b)], [MANY / 2, MANY / 2]);
	assert.ok(captures <= MANY / 3, `${captures}`);
});

test('two lines that start the same in no order have what they started each', () => {
	let seed = 1;
	const random = () => {
		seed = (seed * 48_271) % 2_147_483_647;
		return seed;
	};
	const sites = Array.from({ length: MANY }, () => (random() % 2 === 0 ? a : b));
	const { counts } = start(sites, DEEP);
	assert.equal(counts.get(a), sites.filter((site) => site === a).length);
});

test('the loop after a long one leaves at most 7 of its starts on the other line, each of two times', () => {
	for (let extra = 0; extra < 8; extra++) {
		const loop = (site: Site, length: number) => new Array<Site>(length).fill(site);
		const sites = [...loop(a, 9000 + extra), ...loop(b, 9000), ...loop(a, 9000), ...loop(b, 9000), ...loop(a, 9000)];
		const { counts } = start(sites, DEEP);
		const off = Math.abs(counts.get(b)! - 18_000);
		assert.ok(off <= 4 * 7, `${off}`);
	}
});

test('each start of a long loop that itself calls Node is located', () => {
	const sites = [...new Array<Site>(MANY).fill(a), ...new Array<Site>(MANY).fill(b)];
	const { counts } = start(sites, 3);
	assert.deepEqual([counts.get(a), counts.get(b)], [MANY, MANY]);
});

test('a loop that awaits 32 operations at once reads the stack for the first of each turn, until that is trusted, and seldom for the others', () => {
	assert.equal(turns(a, 200, 1), 200);
	const others = (turns(a, 200, 32) - 200) / 31;
	assert.ok(others <= 40, `${others}`);
});
