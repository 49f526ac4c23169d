// No code of the product guesses what separates the parts of a path: it asks `node:path`, by the path's own system, or src/protocol/path-style.ts.
// What is planted here must be found, and the product's code must be free of it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../support/paths.ts';

/** Code that only works on one system, with code that works on all. */
const GUESSES: [name: string, pattern: RegExp][] = [
	['the separator of the system that runs the code, which need not be the path’s', /\bpath\.(?:sep|delimiter)\b/],
	['a separator as a text of its own', /(['"`])(?:\/|\\\\)\1/],
	['a split at one kind of separator', /\.split\(\/(?:\\\/|\\\\\\\\)\/?[gimsuy]*\)/],
	['one kind of separator at the end of a text', /\$\{[^}]*\}(?:\/|\\\\)`|(['"])[\w.-]*(?:\/|\\\\)\1 \+/],
	['a folder’s name between separators of one kind', /['"`](?:\/|\\\\)node_modules(?:\/|\\\\)/],
	['a URL cut into a path', /\.pathname\b/],
];

/** Files whose code is about separators, and why. */
const ALLOWED: Record<string, string> = {
	'src/host/common/file-paths.ts': 'knows the rules of both',
	'src/protocol/path-style.ts': 'knows the rules of both',
	'src/cli/windows-command.ts': 'knows how Windows looks for a command',
};

const planted: string[] = [
	'const name = file.slice(file.lastIndexOf("/") + 1);',
	"const parts = file.split('/');",
	"const parts = file.split('\\\\');",
	'const parts = file.split(/\\//);',
	"if (file.startsWith('/')) return file;",
	"if (file.includes('/node_modules/')) return 'library';",
	'return file.includes(`\u0024{path.sep}node_modules\u0024{path.sep}`);',
	'return relative.startsWith(`..\u0024{path.sep}`);',
	'return file.startsWith(`\u0024{folder}/`);',
	"return file.startsWith(folder + '/');",
	'return decodeURIComponent(new URL(name).pathname);',
];

const fine: string[] = [
	'const name = path.basename(file);',
	'return /[\\\\/]node_modules[\\\\/]/.test(file);',
	'const lines = text.split(/\\r\\n|\\r|\\n/);',
	'if (url.startsWith("https://")) return null;',
	"import { isBelow } from './file-paths.ts';",
];

function guessIn(line: string): string | undefined {
	const code = line.replace(/^\s*(?:\/\/|\/?\*).*$/, '').replace(/ \/\/ .*$/, '');
	return GUESSES.find(([, pattern]) => pattern.test(code))?.[0];
}

function filesOf(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(root, folder, file));
}

describe('guesses about paths', () => {
	for (const line of planted) it(`are found: ${line}`, () => assert.ok(guessIn(line)));
	for (const line of fine) it(`are not seen in: ${line}`, () => assert.equal(guessIn(line), undefined));

	it('are nowhere in the product', () => {
		const found = ['src', 'tracer'].flatMap(filesOf).flatMap((file) => {
			const name = relative(root, file).replaceAll('\\', '/');
			if (Object.hasOwn(ALLOWED, name)) return [];
			return readFileSync(file, 'utf8')
				.split('\n')
				.flatMap((line, i) => {
					const guess = guessIn(line);
					return guess === undefined ? [] : [`${name}:${i + 1}: ${guess}`];
				});
		});
		assert.deepEqual(found, []);
	});
});
