// The text behind a source line: for one entry, for several, for blocks and warnings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnnotationStyle, annotationText, DEFAULT_TEMPLATE } from '../../../src/protocol/annotation.ts';
import { AnnotationTemplate } from '../../../src/protocol/annotation-template.ts';
import { heatOf, totalsOf, weightMs } from '../../../src/protocol/heat.ts';
import { factsByFile } from '../../../src/protocol/line-facts.ts';
import type { Report } from '../../../src/protocol/report.ts';
import type { ViewStrings } from '../../../src/protocol/webview.ts';
import { block, culprit, line, loop, report, route, split } from '../../support/report-values.ts';

/** Every key is its own text; those with places have their English text. */
const WORDS = new Proxy({} as ViewStrings, {
	get: (_target, key: string) =>
		({
			pending: '{0} pending',
			unanswered: '{0} unanswered',
			blocked: 'blocked {0}',
			blockedDelaying: 'blocked {0} (≥{1} delayed)',
			blockedAfter: 'code after it blocked {0}',
			blockedAfterDelaying: 'code after it blocked {0} (≥{1} delayed)',
			late: 'late {0}',
			response: 'response {0}',
			underWay: 'under way {0}',
			atOnce: 'up to {0} at once',
			totalWait: 'total wait',
			totalRun: 'total run',
		})[key] ?? key.replace(/^class\./, ''),
});

function factsOf(values: Partial<Report>) {
	return factsByFile(report(values)).get('/app/main.js')!.get(3)!;
}

function textOf(values: Partial<Report>, style: Partial<AnnotationStyle> = {}): string {
	// The character that pads figures looks like a space.
	return rawTextOf(values, style).replaceAll('\u00a0', ' ');
}

function rawTextOf(values: Partial<Report>, style: Partial<AnnotationStyle> = {}): string {
	return annotationText(factsOf(values), WORDS, {
		template: new AnnotationTemplate(DEFAULT_TEMPLATE),
		figures: 'absolute',
		totals: totalsOf(report(values)),
		...style,
	});
}

/** What was the text of every line before latencies came first; people may have it in their settings. */
const SUMS = new AnnotationTemplate('{warnings}  {blocks}  ◷ {wait} {split} · {run} · {counts} · {pending}');

test('a line shows how slow one operation is, how many there were, and how the wait was split', () => {
	const parts = { wait: split(3060), queue: split(1530), execute: split(1530), run: split(0.4) };
	const wait = { ...parts.wait, p50Ms: 44, p95Ms: 117 };
	const text = textOf({ lines: [line({ count: 3400, ...parts, wait })] });
	assert.equal(text, '◷ p50   44 ms · p95  117 ms · ×3.4k threadpool ░░░░████');
});

test('figures keep their places while they change, and so does the text behind them', () => {
	const texts = [0, 0.0123, 1.25, 44, 117, 1250, 59_900].flatMap((ms) =>
		[1, 20, 999, 1000, 3400, 23_456, 999_400, 1_200_000].map((count) =>
			rawTextOf({ lines: [line({ count, class: 'kernel', wait: split(ms) })] }),
		),
	);
	assert.deepEqual(
		[...new Set(texts.map((text) => text.length))],
		['◷ p50   44 ms · p95  117 ms · ×3.4k kernel'.length],
	);
	for (const text of texts)
		assert.match(text, /^◷ p50 \u00a0*[\d.]+( [µm]?s)? · p95 \u00a0*[\d.]+( [µm]?s)? · \u00a0*×[\d.]+[kM]? kernel$/u);
});

test('for a timer only its lateness counts, and it has no bar', () => {
	const entry = line({ class: 'timer', wait: split(507), lag: split(7), run: split(1) });
	assert.equal(textOf({ lines: [entry] }), '◷ late p50    7 ms · p95    7 ms ·    ×1 timer');
	assert.equal(weightMs(factsOf({ lines: [entry] })), 7);
	const fetched = line({ class: 'kernel', op: 'fetch', wait: split(5) });
	assert.match(textOf({ lines: [entry, fetched] }), /^◷ p50 {4}5 ms/, 'not of one beside other operations');
});

test('an operation that has only started is shown as pending', () => {
	assert.equal(textOf({ lines: [line({ count: 0, pending: 5 })] }), '◷ threadpool · 5 pending');
});

test('of several entries on one line, the one under way for longest is shown; classes are counted separately', () => {
	const text = textOf({
		lines: [
			line({ op: 'dns.lookup', wait: split(10), queue: split(8), execute: split(2) }),
			line({ op: 'fetch', class: 'kernel', count: 2, pending: 1, wait: split(90, 'estimated') }),
		],
	});
	assert.equal(text, '◷ p50  ≈90 ms · p95  ≈90 ms ·    ×2 kernel ·    ×1 threadpool · 1 pending');
});

test('a request and the body of its response are one call', () => {
	const request = line({ op: 'fetch', class: 'kernel', count: 3, wait: split(60) });
	const body = line({ op: 'response body', class: 'kernel', count: 3, wait: split(6000) });
	const text = textOf({ lines: [body, request] });
	assert.match(text, / · {4}×3 kernel/);
	assert.doesNotMatch(text, /×6/);
	const template = new AnnotationTemplate('{count}');
	assert.equal(textOf({ lines: [body, request] }, { template }), '×3');
});

test('a template may have sums: totals add up, the weakest basis counts, a part without meaning is left out', () => {
	const parts = {
		wait: split(3060),
		queue: split(1500, 'estimated'),
		execute: split(1560, 'unknown'),
		run: split(0.4),
	};
	const text = textOf({ lines: [line({ count: 2, ...parts })] }, { template: SUMS });
	assert.equal(text, '◷ total wait 3.06 s (queue ≈1.5 s · execute ?) · total run 400 µs ·    ×2 threadpool');
	const entry = line({ class: 'timer', wait: split(500), lag: split(4) });
	assert.equal(textOf({ lines: [entry] }, { template: SUMS }), '◷ total wait 500 ms ·    ×1 timer');
	const lagging = textOf({ lines: [{ ...entry, lag: split(6) }] }, { template: SUMS });
	assert.equal(lagging, '◷ total wait 500 ms (lag 6 ms) ·    ×1 timer');
	const two = [line({ wait: split(10), queue: split(8) }), line({ op: 'fetch', wait: split(90, 'estimated') })];
	assert.match(textOf({ lines: two }, { template: SUMS }), /^◷ total wait ≈100 ms \(queue 8 ms\)/);
});

test('each of several functions that blocked the loop together has its own time', () => {
	const culprits = [culprit({ line: 4, function: 'parse', selfMs: 60 }), culprit({ line: 9, selfMs: 40 })];
	const blocks = [1, 2].map(() => block({ durationMs: 100, culprits }));
	const lines = factsByFile(report({ loops: [loop({ blocks })] })).get('/app/main.js')!;
	const texts = [4, 9].map((at) => annotationText(lines.get(at)!, WORDS).trim());
	assert.deepEqual(texts, ['■ blocked 2× · ≈120 ms', '■ blocked 2× · ≈80 ms']);
});

test('blocks and warnings follow the figures, which are never cut off for them', () => {
	const loops = [loop({ blocks: [block({ durationMs: 120 }), block({ durationMs: 6900, delayed: 9 })] })];
	const warning = { code: 'pool-size-too-late', pid: 1, file: '/app/main.js', line: 3, message: '' } as const;
	const text = textOf({ loops, warnings: [warning], lines: [line({ wait: split(1) })] });
	assert.equal(
		text,
		'◷ p50    1 ms · p95    1 ms ·    ×1 threadpool  ■ code after it blocked 2× · 7.02 s (≥9 delayed)  ⚠ warning.pool-size-too-late',
	);
});

/** A line that waited 30 ms of the recording's 120, in two classes. */
const MIXED: Partial<Report> = {
	lines: [
		line({
			count: 2,
			perSecond: 12.4,
			maxInFlight: 4,
			wait: split(20),
			queue: split(5),
			execute: split(15),
			run: split(1),
		}),
		line({ class: 'kernel', count: 3, pending: 1, wait: split(10), run: split(2) }),
		line({ line: 9, wait: split(90), run: split(0) }),
	],
};

test('a block is on the line that computed, not on that of the wait before it', () => {
	const [wait, computed] = [{ file: '/app/main.js', line: 5 }, culprit({ file: '/app/main.js', line: 3 })];
	const blocks = [90, 94].map((durationMs) => block({ ...wait, durationMs, culprits: [computed] }));
	assert.equal(textOf({ loops: [loop({ blocks })] }), '■ blocked 2× · 184 ms');
	assert.equal(
		factsByFile(report({ loops: [loop({ blocks })] }))
			.get(wait.file)
			?.get(wait.line),
		undefined,
	);
});

test('a person’s template shows what it names, in its order', () => {
	const said = (text: string) => textOf(MIXED, { template: new AnnotationTemplate(text) });
	assert.equal(said('{run} | {wait}'), 'total run 3 ms | total wait 30 ms');
	assert.equal(said('{count} of {class}, {percent}'), '×5 of threadpool, kernel, 18 %');
	assert.equal(
		said('{p50}/{p95}/{max}  {rate} · {wall}'),
		'p50   20 ms/p95   20 ms/max   20 ms  12/s · under way 20 ms',
	);
	assert.equal(said('{latency} ({atOnce})'), 'p50   20 ms · p95   20 ms (up to 4 at once)');
	assert.equal(said('({counts})'), '(   ×2 threadpool ·    ×3 kernel)');
	assert.equal(said('no figures at all'), 'no figures at all');
	assert.equal(said('{wait}\n{pending}'), 'total wait 30 ms 1 pending', 'one line stays one');
});

test('empty parts of a template are left out with their separators', () => {
	const said = (text: string) =>
		textOf({ lines: [line({ wait: split(5) })] }, { template: new AnnotationTemplate(text) });
	assert.equal(said('{blocks}  > {wait} {split} · run: {run} · {pending} left'), '> total wait 5 ms');
	assert.equal(said('{blocks} · {pending}'), '');
	assert.equal(said('{blocks}  !'), '!');
});

test('unknown names in a template show nothing and are listed once', () => {
	const template = new AnnotationTemplate('{wait} {wiat} · {total} {wiat}');
	assert.deepEqual(template.unknown, ['wiat', 'total']);
	assert.equal(textOf(MIXED, { template }), 'total wait 30 ms');
});

test('figures can be shares: of the time that lines were under way, of all runs, and of the wait itself', () => {
	assert.match(textOf(MIXED, { figures: 'percent' }), /^◷ 18 % · {4}×2 threadpool/);
	assert.match(textOf(MIXED, { figures: 'both' }), /^◷ p50 {3}20 ms · p95 {3}20 ms, 18 % · {4}×2/);
	const template = SUMS;
	const percent =
		'◷ total wait 25 % (queue 17 % · execute 50 %) · total run 100 % ·    ×2 threadpool ·    ×3 kernel · 1 pending';
	assert.equal(textOf(MIXED, { template, figures: 'percent' }), percent);
	const both = '◷ total wait 30 ms, 25 % (queue 5 ms, 17 % · execute 15 ms, 50 %) · total run 3 ms, 100 %';
	assert.ok(textOf(MIXED, { template, figures: 'both' }).startsWith(both));
	const alone = { lines: [line({ wait: split(0), run: split(0, 'unknown') })] };
	const text = '◷ total wait 0 · total run ? ·    ×1 threadpool';
	assert.equal(textOf(alone, { template, figures: 'percent' }), text, 'there is no whole');
});

test('a share is no better known than its figure, or its whole', () => {
	const lines = [line({ wait: split(10) }), line({ line: 4, wait: split(30, 'estimated') })];
	assert.match(textOf({ lines }, { template: SUMS, figures: 'percent' }), /wait ≈25 %/);
	const guessed = [line({ wait: split(10, 'estimated') }), line({ line: 4, wait: split(30) })];
	assert.match(textOf({ lines: guessed }, { figures: 'percent' }), /◷ ≈25 %/);
});

test('heat is the share of the time that lines were under way', () => {
	const heat = (waitMs: number) => {
		const values = { lines: [line({ wait: split(waitMs) }), line({ line: 4, wait: split(1000 - waitMs) })] };
		return heatOf(factsOf(values), totalsOf(report(values)));
	};
	assert.deepEqual([1, 9, 10, 99, 100, 299, 300, 1000].map(heat), [1, 1, 2, 2, 3, 3, 4, 4]);
	const pending = { lines: [line({ count: 0, pending: 1 })] };
	assert.equal(heatOf(factsOf(pending), totalsOf(report(pending))), 1);
});

test('the weight of a line is its longest time; warnings, and what is not finished or not known, outweigh all', () => {
	assert.equal(weightMs(factsOf({ lines: [line({ wait: split(3), run: split(8) })] })), 8);
	assert.equal(weightMs(factsOf({ loops: [loop({ blocks: [block({ durationMs: 120 })] })] })), 120);
	assert.equal(weightMs(factsOf({ lines: [line({ count: 0, pending: 1 })] })), Number.POSITIVE_INFINITY);
	assert.equal(weightMs(factsOf({ lines: [line({ wait: split(0, 'unknown') })] })), Number.POSITIVE_INFINITY);
	const warning = { code: 'pool-size-too-late', pid: 1, file: '/app/main.js', line: 3, message: '' } as const;
	assert.equal(weightMs(factsOf({ warnings: [warning], lines: [line({ wait: split(1) })] })), Number.POSITIVE_INFINITY);
});

test('a line whose function serves requests says how long they took', () => {
	const entry = line({ op: 'http.Server request', class: 'kernel', count: 20, wait: split(0.2) });
	const text = textOf({ lines: [entry], requests: [route({ duration: split(31) })] });
	assert.match(text, /^◷ response p50 {3}31 ms · p95 {3}31 ms · {3}×20 kernel/);
	assert.equal(weightMs(factsOf({ lines: [entry], requests: [route({})] })), 31);
});

test('a handler that has answered nothing says how many requests wait, and not how soon it was called', () => {
	const entry = line({ op: 'http.Server request', class: 'kernel', count: 3, wait: split(6) });
	const unanswered = {
		file: entry.file,
		line: entry.line,
		op: entry.op,
		pending: 3,
		oldestPending: null,
		closedEarly: 0,
	};
	const values = { lines: [entry], unanswered: [unanswered] };
	const text = textOf(values);
	assert.match(text, /×3\s+kernel.* · 3 unanswered$/);
	assert.doesNotMatch(text, /p50/);
	assert.equal(weightMs(factsOf(values)), Infinity);
});
