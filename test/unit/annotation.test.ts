// The text behind a source line: what it says of one entry, of several, of blocks and warnings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationText, factsByFile } from '../../src/protocol/annotation.ts';
import type { Report } from '../../src/protocol/report.ts';
import type { ViewStrings } from '../../src/protocol/webview.ts';
import { block, line, loop, report, split } from '../support/report-values.ts';

/** Every key is its own text; those with places as in English. */
const WORDS = new Proxy({} as ViewStrings, {
	get: (_target, key: string) =>
		({ pending: '{0} pending', held: 'held {0}', heldDelaying: 'held {0} ({1} delayed)' })[key] ??
		key.replace(/^class\./, ''),
});

function textOf(values: Partial<Report>): string | undefined {
	const facts = factsByFile(report(values)).get('/app/main.js')?.get(3);
	return facts && annotationText(facts, WORDS);
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
	assert.equal(text, '⚠ warning.pool-size-too-late  ■ held 6.9 s (9 delayed) ×2  ◷ wait 1 ms · ×1 threadpool');
});
