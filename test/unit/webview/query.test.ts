// The filter of the panel: which rows a query leaves, what it says of a term that makes no sense, and what it offers while one types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completions, parseQuery, type Subject } from '../../../src/webview/common/query.ts';
import { duringOf } from '../../../src/webview/common/subjects.ts';
import { block, culprit, delay, loop, report } from '../../support/report-values.ts';

const READ: Subject = {
	texts: { class: ['threadpool'], file: ['src/db/read.ts'], op: ['fs.readFile'], during: ['block'] },
	figures: { p50: 44, p95: 117, max: 300, count: 3400, rate: 12, lag: null },
};

function matches(text: string, subject = READ): boolean {
	const parsed = parseQuery(text);
	return typeof parsed === 'function' ? parsed(subject) : assert.fail(JSON.stringify(parsed));
}

for (const query of [
	'',
	'  ',
	'class:threadpool',
	'CLASS:Thread',
	'file:src/**',
	'file:src/**/read.ts',
	'file:**/db/*',
	'file:read.ts',
	'file:db/*.ts',
	'op:fs.*',
	'during:block',
	'op:*File',
	'op:fs.rea?File',
	'p95>50ms',
	'p95>50',
	'p95>=117',
	'p95<0.2s',
	'max=300',
	'max>299999us',
	'max<1min',
	'count>1000',
	'rate>11.5',
	'readfile',
	'src/db',
	'-op:fs.stat',
	'class:threadpool p95>50ms -file:test/**',
	'"read.ts"',
	'file:"db/read"',
	// Somebody types, and has not come to what shall be left out.
	'-',
	'-op:',
	'file:',
]) {
	test(`“${query}” leaves a line that it is true of`, () => assert.ok(matches(query)));
}

for (const query of [
	'class:kernel',
	'file:src/*',
	'file:*.js',
	'file:rc/**',
	'op:readFile*x',
	'op:*.stat',
	'p95>1s',
	'p95>117',
	'count<10',
	'lag>0',
	'lag<1000',
	'execute>0',
	'-class:threadpool',
	'class:threadpool p95>1s',
	'nothing',
]) {
	test(`“${query}” leaves out a line that it is not true of`, () => assert.ok(!matches(query)));
}

test('a dot in a pattern is a dot, and no other sign of regular expressions means anything', () => {
	const named = (op: string): Subject => ({ texts: { class: [], file: [], op: [op], during: [] }, figures: {} });
	assert.ok(!matches('op:fs.*', named('fsXstat')));
	assert.ok(matches('op:(a|b)+[c]*', named('(a|b)+[c]d')));
	assert.ok(!matches('op:(a|b)+*', named('abab')));
});

for (const [query, fault] of [
	['speed>3', { term: 'speed>3', wrong: 'key' }],
	['colour:red', { term: 'colour:red', wrong: 'key' }],
	['class:kernel p95>fast', { term: 'p95>fast', wrong: 'time' }],
	['p95>', { term: 'p95>', wrong: 'time' }],
	['p95>5 kg', undefined],
	['p95>5kg', { term: 'p95>5kg', wrong: 'time' }],
	['-count>many', { term: '-count>many', wrong: 'number' }],
	['count>5ms', { term: 'count>5ms', wrong: 'number' }],
	['p95>-5ms', { term: 'p95>-5ms', wrong: 'time' }],
	['op:fs.* file:"my file', { term: 'file:"my file', wrong: 'quote' }],
	['"', { term: '"', wrong: 'quote' }],
] as const) {
	test(`“${query}” ${fault === undefined ? 'makes sense' : `makes no sense: ${fault.wrong}`}`, () => {
		const parsed = parseQuery(query);
		assert.deepEqual(typeof parsed === 'function' ? undefined : parsed, fault);
	});
}

test('a name with a space is named in quotation marks', () => {
	const named = (file: string): Subject => ({ texts: { class: [], file: [file], op: [], during: [] }, figures: {} });
	assert.ok(matches('file:"my file.ts"', named('src/my file.ts')));
	assert.ok(!matches('file:"my file.ts"', named('src/my other file.ts')));
});

test('keys are offered for a term that begins, and values for a key', () => {
	const values = {
		class: ['threadpool', 'timer', 'timer', 'kernel'],
		file: ['src/a.ts', 'with space.ts'],
		op: [],
		during: ['block'],
	};
	assert.ok(completions('', values).includes('class:'));
	assert.deepEqual(completions('p', values), ['p50>', 'p95>', 'pending>']);
	assert.deepEqual(completions('p95>50ms cla', values), ['p95>50ms class:']);
	assert.deepEqual(completions('class:t', values), ['class:threadpool', 'class:timer']);
	assert.deepEqual(completions('-CLASS:K', values), ['-class:kernel']);
	assert.deepEqual(completions('file:', values), ['file:src/a.ts', 'file:"with space.ts"']);
	assert.deepEqual(completions('count>1 file:wi', values), ['count>1 file:"with space.ts"']);
	assert.deepEqual(completions('file:"with sp', values), ['file:"with space.ts"']);
	assert.deepEqual(completions('class:kernel', values), []);
	assert.deepEqual(completions('during:', values), ['during:block']);
});

test('what a block delayed was under way during it, and so was what blocked; nothing else', () => {
	const blocks = [
		block({ line: 3, delays: [delay({ line: 12, op: 'fetch', count: 2, totalMs: 40 })] }),
		block({ line: 3, culprits: [culprit({ line: 9 })] }),
	];
	const during = duringOf(report({ loops: [loop({ blocks })] }));
	const found = [3, 9, 12, 13].filter((number) => during({ file: '/app/main.js', line: number }).length > 0);
	assert.deepEqual(found, [3, 9, 12]);
	assert.deepEqual(during({ file: '/app/other.js', line: 12 }), []);
});
