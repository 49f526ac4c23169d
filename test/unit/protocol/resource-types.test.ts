// The table of resource types: what the tracer and the engine know of each type must agree, and a name that it lacks must not compile.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RESOURCE_FACTS, resourceFacts } from '../../../src/protocol/resource-facts.ts';
import {
	CARRIER,
	EVENT_OF,
	EXCHANGE,
	IGNORED,
	POOLED,
	type ResourceType,
	SERVER,
	TRAITS,
} from '../../../src/protocol/resource-types.ts';
import { kindOf } from '../../../tracer/process/kinds.ts';

const TYPES = Object.keys(RESOURCE_FACTS) as ResourceType[];

function typesWith(traits: number): string[] {
	return Object.entries(TRAITS).flatMap(([type, own]) => ((own & traits) === 0 ? [] : [type]));
}

test('a name that the table lacks does not compile', () => {
	// @ts-expect-error: it has one N too few.
	assert.equal(kindOf('TCPCONECTWRAP').once, false);
	assert.equal(kindOf('TCPCONNECTWRAP').once, true);
});

test('a job of the pool for the tracer is one for the engine', () => {
	const jobs = TYPES.filter((type) => RESOURCE_FACTS[type].pool !== null);
	// A write to a zlib stream is submitted by a call that the tracer sees itself; a watcher's jobs have no callback of their own.
	const expected = [...typesWith(POOLED).filter((type) => type !== 'STATWATCHER'), 'ZLIBWRITE'];
	assert.deepEqual(jobs.sort(), expected.sort());
	for (const type of jobs) assert.equal(RESOURCE_FACTS[type].class, 'threadpool', type);
});

test('what the tracer does not record has no line', () => {
	for (const type of typesWith(CARRIER | IGNORED)) assert.equal(resourceFacts(type).shown, 'never', type);
	assert.ok(typesWith(CARRIER | IGNORED).length > 5);
});

test('what only listens has no line, and each of its callbacks has one', () => {
	for (const [handle, event] of Object.entries(EVENT_OF)) {
		assert.equal(resourceFacts(handle).shown, 'never', handle);
		assert.equal(RESOURCE_FACTS[event].shown, 'always', event);
	}
	for (const handle of typesWith(SERVER)) assert.equal(resourceFacts(handle).shown, 'never', handle);
});

test('what waits for a peer always has a line', () => {
	for (const type of typesWith(EXCHANGE)) assert.equal(resourceFacts(type).shown, 'always', type);
});

test('a type of the program’s is shown by its own name, even one that objects inherit', () => {
	for (const type of ['Pool.Job', 'constructor', '__proto__', 'toString']) {
		assert.deepEqual([resourceFacts(type).name, resourceFacts(type).class], [type, 'other']);
	}
});

test('a crypto job of a Node that is younger than the table is of the pool', () => {
	assert.equal(resourceFacts('KYBERREQUEST').pool, 'fast');
});
