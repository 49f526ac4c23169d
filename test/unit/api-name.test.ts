// What operations are called whose function of Node's has no name that a program knows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiName } from '../../src/engine/api-name.ts';
import { RESOURCE_FACTS } from '../../src/protocol/resource-facts.ts';

test('a read that a nameless function of a stream starts, as the callback of a transform, is named after its module', () => {
	const nameOf = (name: string) => apiName(RESOURCE_FACTS.FSREQCALLBACK, name, 'node:internal/streams/transform').name;
	assert.equal(nameOf('write'), 'stream.write');
	assert.equal(nameOf(''), 'fs');
});
