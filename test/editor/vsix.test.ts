// The package as people install it: each picture and link of its texts leads somewhere, and all that package.json names is in it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { leadNowhere } from '../support/links.ts';
import { scratchFolder } from '../support/scratch.ts';
import { makeVsix } from '../support/vsix.ts';
import { unzip } from '../support/zip.ts';

describe('the packaged extension', () => {
	let files: ReadonlyMap<string, Buffer>;
	const text = (name: string) => files.get(`extension/${name}`)!.toString('utf8');
	const has = (name: string) => files.has(`extension/${name}`);

	before(() => {
		files = unzip(readFileSync(makeVsix(scratchFolder('vsix'))));
	});

	test('every picture and link of its README and changelog leads somewhere', () => {
		assert.match(text('readme.md'), /!\[[^\]]+\]\(https:/, 'it has pictures');
		for (const name of ['readme.md', 'changelog.md']) assert.deepEqual(leadNowhere(text(name), has), [], name);
	});

	test('all files that package.json names are in it', () => {
		const named = [...text('package.json').matchAll(/"(?:\.\/)?((?:dist|media)\/[^"]+)"/g)].map((match) => match[1]!);
		assert.ok(named.length > 5, 'the names were not found');
		for (const name of named) assert.ok(has(name), name);
	});
});
