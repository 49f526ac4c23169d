// No page of the repository refers to a file, a function or a class that does not exist.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { KEEPERS } from '../../../tracer/sources/library-queues.ts';
import { leadNowhere } from '../../support/links.ts';
import { root } from '../../support/paths.ts';

const FOLDERS = ['.', 'docs', 'test/bench'];

/** Paths of the pages, from the repository's root. */
const pages = FOLDERS.flatMap((folder) =>
	readdirSync(path.join(root, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => path.join(folder, name)),
);
const textOf = (page: string) => readFileSync(path.join(root, page), 'utf8');

/** Sources of the product and its tests, by path from the root. */
const sources = ['src', 'tracer', 'test'].flatMap((folder) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts') && !/(^|[\\/])(node_modules|out)[\\/]/.test(name))
		.map((name) => path.join(folder, name)),
);

/** What a page has between backticks. */
function quotedIn(text: string): string[] {
	return [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
}

/**
 * Names of files that a page mentions and that do not exist: paths from the root, and names of TypeScript files in any
 * folder.
 */
function missingFiles(text: string): string[] {
	return quotedIn(text).filter((quoted) => {
		// `NAME` stands for a file to be added; files that tests write exist only once they have run.
		if (quoted.includes('NAME') || quoted.startsWith('test/out')) return false;
		if (/^(src|tracer|test|docs|media|\.github|\.vscode)\/[\w./-]+$/.test(quoted))
			return !existsSync(path.join(root, quoted));
		return /^[\w-]+\.ts$/.test(quoted) && !sources.some((source) => path.basename(source) === quoted);
	});
}

test('every link between the pages of the repository leads to a file', () => {
	assert.ok(pages.length > 10, 'the pages were not found');
	for (const page of pages) {
		const folder = path.dirname(path.join(root, page));
		const text = textOf(page);
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

test('every file that a page names exists', () => {
	for (const page of pages) assert.deepEqual(missingFiles(textOf(page)), [], page);
	assert.deepEqual(missingFiles('`src/gone.ts`, `gone.ts`, `recorder.ts`, `src/host/`'), ['src/gone.ts', 'gone.ts']);
});

test('every stage on the way of one operation has the function that ARCHITECTURE.md names', () => {
	const [, way = ''] = textOf('ARCHITECTURE.md').split('## The way of one operation');
	const rows = way
		.split('\n## ')[0]!
		.split('\n')
		.filter((line) => line.startsWith('| **'));
	assert.ok(rows.length > 10, 'the stages were not found');
	const code = sources.filter((name) => !name.startsWith('test')).map((name) => textOf(name));
	for (const row of rows) {
		let owner = '';
		for (const quoted of quotedIn(row.split('|')[3]!)) {
			const [, name, method] = /^(\w*)\.?(\w+)?$/.exec(quoted) ?? [];
			if (name === undefined || quoted.endsWith('.ts')) continue;
			// `.end` is another method of the class before.
			if (name !== '') owner = name;
			const declared = new RegExp(`export (async )?(function\\*?|class) ${owner}\\b`);
			const file = code.find((text) => declared.test(text));
			assert.ok(file, `${owner}, in: ${row}`);
			const has = method === undefined || new RegExp(`^\\t(async |get )*${method}\\(`, 'm').test(file);
			assert.ok(has, `${owner}.${method}, in: ${row}`);
		}
	}
});

test('the README names each library whose queues are watched, and tests have it', () => {
	const [, privacy = ''] = textOf('README.md').split('\n## Privacy');
	const named = new Set(quotedIn(privacy.split('\n## ')[0]!));
	const installed = textOf('test/libraries/package-lock.json');
	const packages = KEEPERS.map(({ script }) => /^\/((?:@[\w-]+\/)?[\w-]+)\//.exec(script)![1]!);
	// Its name for programs.
	const own = (name: string) => (name === '@redis/client' ? 'redis' : name);
	assert.deepEqual(
		packages.filter((name) => !named.has(own(name)) || !installed.includes(`"node_modules/${name}"`)),
		[],
	);
});
