// What operations are called whose function of Node's has no name that a program knows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiName } from '../../../src/engine/lines/api-name.ts';
import { RESOURCE_FACTS } from '../../../src/protocol/resource-facts.ts';

test('a read that a nameless function of a stream starts, as the callback of a transform, is named after its module', () => {
	const nameOf = (name: string) => apiName(RESOURCE_FACTS.FSREQCALLBACK, name, 'node:internal/streams/transform').name;
	assert.equal(nameOf('write'), 'stream.write');
	assert.equal(nameOf(''), 'fs');
});

test('fs.realpath.native, whose function has no name, is not called “fs”', () => {
	for (const name of ['', 'native']) {
		assert.equal(apiName(RESOURCE_FACTS.FSREQCALLBACK, name, 'node:fs').name, 'fs.realpath.native');
	}
});

test('what a file’s stream reads when the program emits its event itself, as graceful-fs does, is not called “fs.emit”', () => {
	const nameOf = (name: string) => apiName(RESOURCE_FACTS.FSREQCALLBACK, name, 'node:internal/fs/streams').name;
	assert.equal(nameOf('emit'), 'stream.emit');
	assert.equal(nameOf('close'), 'fs.close');
});

test('what a file’s stream reads or writes because zlib is done is said to be a stream’s', () => {
	assert.equal(apiName(RESOURCE_FACTS.FSREQCALLBACK, 'createGzip', 'node:zlib').name, 'fs stream');
	assert.equal(apiName(RESOURCE_FACTS.ZLIBWRITE, 'createGzip', 'node:zlib').name, 'zlib.createGzip');
});

test('a read for a web stream of an open file is named after what made the stream', () => {
	const { name } = apiName(RESOURCE_FACTS.FSREQPROMISE, 'pull', 'node:internal/fs/promises');
	assert.equal(name, 'FileHandle.readableWebStream');
});
