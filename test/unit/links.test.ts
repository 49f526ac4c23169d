// No page of the repository sends its reader to a file that is not there.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { leadNowhere } from '../support/links.ts';
import { root } from '../support/paths.ts';

const FOLDERS = ['.', 'docs', 'test/bench'];

test('every link between the pages of the repository leads to a file', () => {
	const pages = FOLDERS.flatMap((folder) =>
		readdirSync(path.join(root, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => path.join(folder, name)),
	);
	assert.ok(pages.length > 10, 'the pages were not found');
	for (const page of pages) {
		const folder = path.dirname(path.join(root, page));
		const text = readFileSync(path.join(root, page), 'utf8');
		assert.deepEqual(
			leadNowhere(text, (target) => existsSync(path.join(folder, target))),
			[],
			page,
		);
	}
});

test('a link or picture that leads nowhere is noticed', () => {
	const planted =
		'![a](media/gone.png) [b](https://github.com/OWNER/waitline/blob/HEAD/gone.md) [c](#here) [d](https://nodejs.org/)';
	assert.deepEqual(
		leadNowhere(planted, () => false),
		['media/gone.png', 'https://github.com/OWNER/waitline/blob/HEAD/gone.md'],
	);
});
