// The table of resource types against the lists of the Nodes themselves: a name that no Node gives to a resource would
// be a useless row.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { RESOURCE_FACTS, resourceFacts } from '../../src/protocol/resource-facts.ts';
import type { ForeignType } from '../../src/protocol/resource-types.ts';
import { kindOf } from '../../tracer/process/kinds.ts';
import { nodes } from '../support/nodes.ts';

/** Made up by the tracer. */
const OURS = [
	'MAIN',
	'ZLIBWRITE',
	'FSEVENT',
	'PORTMESSAGE',
	'STATEVENT',
	'UDPMESSAGE',
	'EXCHANGE',
	'TURNEXCHANGE',
	'POOLWAIT',
	'CONNECTIONWAIT',
	'READERWAIT',
	'FETCH',
	'HTTPREQUEST',
	'HTTPSERVERREQUEST',
	'HTTP2SERVERREQUEST',
	'WORKERPOST',
];
/** Named by Node's JavaScript, or, the last one, only where Node was built with its inspector: its list of providers lacks them. */
const UNLISTED = ['Timeout', 'Immediate', 'TickObject', 'Microtask', 'QueuedRequest', 'INSPECTORJSBINDING'];

const PROVIDERS = `
const { internalBinding } = require('internal/test/binding');
console.log(JSON.stringify(Object.keys(internalBinding('async_wrap').Providers)));
`;

const builds = nodes();
const providers = builds.map(({ path }) => {
	const text = execFileSync(path, ['--expose-internals', '--no-warnings', '--eval', PROVIDERS], { encoding: 'utf8' });
	return JSON.parse(text) as string[];
});

test('each row of Node’s is a type of some Node', { skip: builds.length === 1 }, () => {
	const known = new Set([...providers.flat(), ...OURS, ...UNLISTED]);
	assert.deepEqual(
		Object.keys(RESOURCE_FACTS).filter((type) => !known.has(type)),
		[],
	);
});

test('no type of Node’s has the name of one of ours', () => {
	assert.deepEqual(
		OURS.filter((type) => providers.flat().includes(type)),
		[],
	);
});

test('each crypto job of each Node is known by the form of its name', () => {
	const jobs = providers.flat().filter((type) => /^(?!HTTP).*REQUEST$/.test(type));
	assert.ok(jobs.length >= 13 * builds.length, `${jobs.length} jobs`);
	for (const type of jobs) {
		assert.equal(resourceFacts(type).family, 'crypto', type);
		assert.equal(kindOf(type as ForeignType).isCrypto, true, type);
	}
});
