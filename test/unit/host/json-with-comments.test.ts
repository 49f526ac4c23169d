// An edit of a file that a person writes changes what it is for, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editsToSet, read } from '../../../src/host/common/json-with-comments.ts';

function set(text: string, path: (string | number)[], value: unknown): string {
	let edited = text;
	for (const { offset, length, content } of editsToSet(text, path, value).toReversed()) {
		edited = edited.slice(0, offset) + content + edited.slice(offset + length);
	}
	return edited;
}

const PATH = ['configurations', 1, 'env', 'UV_THREADPOOL_SIZE'];

test('comments, order and indentation stay', () => {
	const text = [
		'{',
		'\t// mine',
		'\t"configurations": [',
		'\t\t{ "name": "a" }, // the first',
		'\t\t{',
		'\t\t\t"name": "b", /* the second */',
		'\t\t\t"env": {',
		'\t\t\t\t"OWN": "kept"',
		'\t\t\t}',
		'\t\t}',
		'\t]',
		'}',
	];
	const lines = set(text.join('\n'), PATH, '8').split('\n');
	assert.deepEqual(lines, [
		...text.slice(0, 7),
		'\t\t\t\t"OWN": "kept",',
		'\t\t\t\t"UV_THREADPOOL_SIZE": "8"',
		...text.slice(8),
	]);
});

test('what is missing on the way is made', () => {
	const text = '{\n  "configurations": [\n    { "name": "a" },\n    { "name": "b" } // last\n  ]\n}\n';
	const edited = set(text, PATH, '8');
	assert.deepEqual((read(edited) as { configurations: object[] }).configurations[1], {
		name: 'b',
		env: { UV_THREADPOOL_SIZE: '8' },
	});
	assert.match(edited, /\/\/ last/);
});

test('an empty text has no value', () => {
	assert.equal(read(''), undefined);
});
