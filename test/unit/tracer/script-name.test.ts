// The names of scripts in a journal: paths where they stand for files, and nothing of the program's data.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { pathOf, withoutData } from '../../../tracer/sites/script-name.ts';

test('a name is without the data that it carries', () => {
	const names = {
		'/srv/app.js?not=a-query': '/srv/app.js?not=a-query',
		'[eval]': '[eval]',
		'node:fs': 'node:fs',
		'file:///srv/app.mjs?token=secret#part': 'file:///srv/app.mjs',
		'https://host/app.mjs?token=secret': 'https://host/app.mjs',
		'webpack://name/./src/app.ts?1234': 'webpack://name/./src/app.ts',
		'data:text/javascript,secret()': 'data:text/javascript',
		'data:secret()': 'data:',
		'data:text/javascript;base64,c2VjcmV0\n,more': 'data:text/javascript;base64',
	};
	for (const [name, without] of Object.entries(names)) assert.equal(withoutData(name), without);
});

test('a script’s path is the one that Node makes of its URL', () => {
	const urls = [
		'file:///srv/app.mjs',
		'file:///srv/a%20b.mjs',
		'file:///srv/app.mjs?v=1#x',
		'file:///c:/app.mjs',
		'file:///',
	];
	for (const url of urls) assert.equal(pathOf(url), fileURLToPath(url), url);
});

test('what is no file of this system keeps its name', () => {
	const names = ['/srv/app.js', 'node:fs', '[eval]', 'file://', 'file:///srv/%2Fapp.mjs', 'C:\\srv\\app.js', ''];
	for (const name of names) assert.equal(pathOf(name), name === 'file://' ? '/' : name);
});
