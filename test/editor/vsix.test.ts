// The package as people install it: each picture and link of its texts leads somewhere, and all that package.json names is in it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { leadNowhere } from '../support/links.ts';
import { root } from '../support/paths.ts';
import { scratchFolder } from '../support/scratch.ts';
import { unzip } from '../support/zip.ts';

describe('the packaged extension', () => {
	let files: ReadonlyMap<string, Buffer>;
	const text = (name: string) => files.get(`extension/${name}`)!.toString('utf8');
	const has = (name: string) => files.has(`extension/${name}`);

	before(() => {
		const file = path.join(scratchFolder('vsix'), 'waitline.vsix');
		const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
		const result = spawnSync(process.execPath, [vsce, 'package', '--no-dependencies', '--out', file], {
			cwd: root,
			encoding: 'utf8',
		});
		assert.equal(result.status, 0, result.stderr);
		files = unzip(readFileSync(file));
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
