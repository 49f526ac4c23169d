// The text behind a source line: what it says of one entry, of several, of blocks and warnings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnnotationStyle, annotationText, DEFAULT_TEMPLATE } from '../../src/protocol/annotation.ts';
import { AnnotationTemplate } from '../../src/protocol/annotation-template.ts';
import { heatOf, totalsOf, weightMs } from '../../src/protocol/heat.ts';
import { factsByFile } from '../../src/protocol/line-facts.ts';
import type { Report } from '../../src/protocol/report.ts';
import type { ViewStrings } from '../../src/protocol/webview.ts';
import { block, culprit, line, loop, report, split } from '../support/report-values.ts';

/** Every key is its own text; those with places as in English. */
const WORDS = new Proxy({} as ViewStrings, {
	get: (_target, key: string) =>
		({
			pending: '{0} pending',
			blocked: 'held {0}',
			blockedDelaying: 'held {0} ({1} delayed)',
			blockedAfter: 'code after it held {0}',
			blockedAfterDelaying: 'code after it held {0} ({1} delayed)',
		})[key] ?? key.replace(/^class\./, ''),
});

function factsOf(values: Partial<Report>) {
	return factsByFile(report(values)).get('/app/main.js')!.get(3)!;
}

function textOf(values: Partial<Report>, style: Partial<AnnotationStyle> = {}): string {
	return annotationText(factsOf(values), WORDS, {
		template: new AnnotationTemplate(DEFAULT_TEMPLATE),
		figures: 'absolute',
		totals: totalsOf(report(values)),
		...style,
	});
}

test('a pool operation shows its split, with the basis of each part', () => {
	const parts = {
		wait: split(3060),
		queue: split(1500, 'estimated'),
		execute: split(1560, 'unknown'),
		run: split(0.4),
	};
	const text = textOf({ lines: [line({ count: 2, ...parts })] });
	assert.equal(text, '◷ wait 3.06 s (queue ≈1.5 s · execute ?) · run 400 µs · ×2 threadpool');
});

test('a part without meaning is left out, and so is a lag that does not matter', () => {
	const entry = line({ class: 'timer', wait: split(500), lag: split(4), run: split(1) });
	assert.equal(textOf({ lines: [entry] }), '◷ wait 500 ms · run 1 ms · ×1 timer');
	assert.equal(textOf({ lines: [{ ...entry, lag: split(6) }] }), '◷ wait 500 ms (lag 6 ms) · run 1 ms · ×1 timer');
});

test('an operation that only started says that it is pending', () => {
	assert.equal(textOf({ lines: [line({ count: 0, pending: 5 })] }), '◷ threadpool · 5 pending');
});

test('entries of one line merge: totals add up, the weakest basis holds, classes are counted apart', () => {
	const text = textOf({
		lines: [
			line({ op: 'dns.lookup', wait: split(10), queue: split(8), execute: split(2) }),
			line({ op: 'fetch', class: 'kernel', count: 2, pending: 1, wait: split(90, 'estimated') }),
		],
	});
	assert.equal(text, '◷ wait ≈100 ms (queue 8 ms · execute 2 ms) · ×2 kernel · ×1 threadpool · 1 pending');
});

test('warnings and blocks come first', () => {
	const loops = [loop({ blocks: [block({ durationMs: 120 }), block({ durationMs: 6900, delayed: 9 })] })];
	const warning = { code: 'pool-size-too-late', pid: 1, file: '/app/main.js', line: 3, message: '' } as const;
	const text = textOf({ loops, warnings: [warning], lines: [line({ wait: split(1) })] });
	assert.equal(
		text,
		'⚠ warning.pool-size-too-late  ■ code after it held 2× · 7.02 s (9 delayed)  ◷ wait 1 ms · ×1 threadpool',
	);
});

/** A line that waited 30 ms of the recording's 120, in two classes. */
const MIXED: Partial<Report> = {
	lines: [
		line({ count: 2, wait: split(20), queue: split(5), execute: split(15), run: split(1) }),
		line({ class: 'kernel', count: 3, pending: 1, wait: split(10), run: split(2) }),
		line({ line: 9, wait: split(90), run: split(0) }),
	],
};

test('a block stands on the line that computed, not on the wait before it', () => {
	const [wait, computed] = [{ file: '/app/main.js', line: 5 }, culprit({ file: '/app/main.js', line: 3 })];
	const blocks = [90, 94].map((durationMs) => block({ ...wait, durationMs, culprits: [computed] }));
	assert.equal(textOf({ loops: [loop({ blocks })] }), '■ held 2× · 184 ms');
	assert.equal(
		factsByFile(report({ loops: [loop({ blocks })] }))
			.get(wait.file)
			?.get(wait.line),
		undefined,
	);
});

test('a template of the person says what it names, in its order', () => {
	const said = (text: string) => textOf(MIXED, { template: new AnnotationTemplate(text) });
	assert.equal(said('{run} | {wait}'), 'run 3 ms | wait 30 ms');
	assert.equal(said('{count} of {class}, {percent}'), '×5 of threadpool, kernel, 25 %');
	assert.equal(said('({counts})'), '(×2 threadpool · ×3 kernel)');
	assert.equal(said('no figures at all'), 'no figures at all');
	assert.equal(said('{wait}\n{pending}'), 'wait 30 ms 1 pending', 'one line stays one');
});

test('parts of a template without a word to say are left out with what joins them', () => {
	const said = (text: string) =>
		textOf({ lines: [line({ wait: split(5) })] }, { template: new AnnotationTemplate(text) });
	assert.equal(said('{blocks}  > {wait} {split} · run: {run} · {pending} left'), '> wait 5 ms');
	assert.equal(said('{blocks} · {pending}'), '');
	assert.equal(said('{blocks}  !'), '!');
});

test('names that a template does not know say nothing and are told once', () => {
	const template = new AnnotationTemplate('{wait} {wiat} · {total} {wiat}');
	assert.deepEqual(template.unknown, ['wiat', 'total']);
	assert.equal(textOf(MIXED, { template }), 'wait 30 ms');
});

test('figures can be shares: of all waits, of all runs, and of the wait itself', () => {
	const percent = '◷ wait 25 % (queue 17 % · execute 50 %) · run 100 % · ×2 threadpool · ×3 kernel · 1 pending';
	assert.equal(textOf(MIXED, { figures: 'percent' }), percent);
	const both = '◷ wait 30 ms, 25 % (queue 5 ms, 17 % · execute 15 ms, 50 %) · run 3 ms, 100 %';
	assert.ok(textOf(MIXED, { figures: 'both' }).startsWith(both));
	const alone = { lines: [line({ wait: split(0), run: split(0, 'unknown') })] };
	assert.equal(textOf(alone, { figures: 'percent' }), '◷ wait 0 · run ? · ×1 threadpool', 'there is no whole');
});

test('a share is no better known than its whole', () => {
	const lines = [line({ wait: split(10) }), line({ line: 4, wait: split(30, 'estimated') })];
	assert.match(textOf({ lines }, { figures: 'percent' }), /wait ≈25 %/);
});

test('heat is the share of all waits', () => {
	const heat = (waitMs: number) => {
		const values = { lines: [line({ wait: split(waitMs) }), line({ line: 4, wait: split(1000 - waitMs) })] };
		return heatOf(factsOf(values), totalsOf(report(values)));
	};
	assert.deepEqual([1, 9, 10, 99, 100, 299, 300, 1000].map(heat), [1, 1, 2, 2, 3, 3, 4, 4]);
	const pending = { lines: [line({ count: 0, pending: 1 })] };
	assert.equal(heatOf(factsOf(pending), totalsOf(report(pending))), 1);
});

test('the weight of a line is its longest time; warnings and what is not finished outweigh all', () => {
	assert.equal(weightMs(factsOf({ lines: [line({ wait: split(3), run: split(8) })] })), 8);
	assert.equal(weightMs(factsOf({ loops: [loop({ blocks: [block({ durationMs: 120 })] })] })), 120);
	assert.equal(weightMs(factsOf({ lines: [line({ count: 0, pending: 1 })] })), Number.POSITIVE_INFINITY);
	const warning = { code: 'pool-size-too-late', pid: 1, file: '/app/main.js', line: 3, message: '' } as const;
	assert.equal(weightMs(factsOf({ warnings: [warning], lines: [line({ wait: split(1) })] })), Number.POSITIVE_INFINITY);
});
