// The answers to language models: figures with their basis, never a guess, and errors that say what to do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Line, Report } from '../../../src/protocol/report.ts';
import { findings, hotLines, lineDetail, type Profiled } from '../../../src/vscode/model-tools/tool-answers.ts';
import { ANY_FINDING, line, report, split } from '../../support/report-values.ts';

const EDITED_LINE = 3;

function lineAt(file: string, at: number, waitMs: number, parts: Partial<Line> = {}): Line {
	return line({ file, line: at, op: 'fs.stat', wait: split(waitMs), ...parts });
}

function profiled(lines: Line[], parts: Partial<Report> = {}): Profiled {
	return { name: 'app', live: true, report: report({ lines, ...parts }), isEdited: ({ line }) => line === EDITED_LINE };
}

const APP = profiled([
	lineAt('/app/a.js', 1, 5),
	lineAt('/app/b.js', 2, 90, { class: 'timer', lag: split(9) }),
	lineAt('/app/lib/a.js', 3, 7),
	lineAt('C:\\app\\c.js', 4, 1),
]);

/** The places of the lines that a model gets. */
function places(input: Parameters<typeof hotLines>[1], from = APP): string[] {
	const { lines } = hotLines(from, input) as { lines: Line[] };
	return lines.map(({ file, line }) => `${file}:${line}`);
}

test('the longest wait comes first, and what is left out is counted', () => {
	assert.deepEqual(places({}), ['/app/b.js:2', '/app/lib/a.js:3', '/app/a.js:1', 'C:\\app\\c.js:4']);
	assert.deepEqual(places({ limit: 2 }), ['/app/b.js:2', '/app/lib/a.js:3']);
	assert.deepEqual(places({ limit: -3 }), ['/app/b.js:2']);
	assert.equal((hotLines(APP, { limit: 1 }) as { more: number }).more, 3);
	assert.deepEqual(places({ class: 'timer' }), ['/app/b.js:2']);
});

test('asking changes nothing', () => {
	const before = structuredClone(APP.report);
	hotLines(APP, {});
	lineDetail(APP, { file: 'b.js', line: 2 });
	assert.deepEqual(APP.report, before);
});

test('a file is its whole path or the end of one, from a folder on', () => {
	assert.deepEqual(places({ file: 'lib/a.js' }), ['/app/lib/a.js:3']);
	assert.deepEqual(places({ file: './app/c.js' }), ['C:\\app\\c.js:4']);
	assert.deepEqual(places({ file: 'a.js' }), ['/app/lib/a.js:3', '/app/a.js:1']);
	assert.throws(() => places({ file: '.js' }), /None of the 4 lines matches/);
});

test('an unknown part has no figures', () => {
	const from = profiled([lineAt('/app/a.js', 1, 5, { lag: split(0, 'unknown') })]);
	const { lines } = hotLines(from, {}) as { lines: Line[] };
	assert.deepEqual(lines[0]!.lag, {
		basis: 'unknown',
		atLeast: { totalMs: 0, p50Ms: 0, p95Ms: 0, maxMs: 0, unknown: 1 },
	});
	const { operations } = lineDetail(from, { file: 'a.js', line: 1 }) as { operations: Line[] };
	assert.deepEqual(operations[0]!.lag, {
		basis: 'unknown',
		atLeast: { totalMs: 0, p50Ms: 0, p95Ms: 0, maxMs: 0, unknown: 1 },
	});
});

test('a line that was edited since is marked so', () => {
	const { lines } = hotLines(APP, {}) as { lines: { editedSince?: boolean }[] };
	assert.deepEqual(
		lines.map(({ editedSince }) => editedSince),
		[undefined, true, undefined, undefined],
	);
	const detail = (file: string, line: number) => lineDetail(APP, { file, line }) as { editedSince?: boolean };
	assert.equal(detail('lib/a.js', 3).editedSince, true);
	assert.equal(detail('b.js', 2).editedSince, undefined);
});

test('one line’s detail has its findings, and those alone', () => {
	const evidence = { effective: 4, wanted: 8 };
	const finding = { ...ANY_FINDING, file: '/app/b.js', code: 'pool-size-too-late' as const, evidence };
	const from = profiled(APP.report.lines, { findings: [2, 3].map((at) => ({ ...finding, line: at })) });
	const detail = lineDetail(from, { file: '/app/b.js', line: 2 }) as { findings: { line: number }[] };
	assert.deepEqual(
		detail.findings.map(({ line }) => line),
		[2],
	);
	assert.equal((findings(from) as { findings: unknown[] }).findings.length, 2);
});

test('errors say what the model can do', () => {
	assert.throws(() => findings(undefined), /run the command "Waitline: Debug with Async Profile"/);
	assert.throws(() => hotLines(profiled([]), {}), /has not started any asynchronous operation yet/);
	assert.throws(() => lineDetail(APP, { file: 'z.js', line: 1 }), /hot lines tool names the files/);
	assert.throws(() => lineDetail(APP, { file: 'a.js', line: 1 }), /Give the whole path/);
	assert.throws(() => lineDetail(APP, { file: '/app/a.js', line: 9 }), /Lines with figures: 1\./);
	assert.throws(() => lineDetail(APP, {}), /^Error: Give "file": an absolute path/);
	assert.throws(() => lineDetail(APP, { file: '/app/a.js' }), /^Error: Give "line" as a whole number/);
	const text = '1' as unknown as number;
	assert.throws(() => lineDetail(APP, { file: '/app/a.js', line: text }), /^Error: Give "line" as a whole number/);
	assert.throws(() => hotLines(APP, { limit: text }), /^Error: Give "limit" as a number/);
	assert.throws(() => hotLines(APP, { file: 1 as unknown as string }), /^Error: Give "file" as a string/);
});
