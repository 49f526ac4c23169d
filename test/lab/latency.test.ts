// How slow one operation of a line is, and for how much wall time the line was under way: no more than the program
// itself saw by its own clock, and no less than the server took. Both are true on a machine of any speed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { compareWall } from '../../src/protocol/latency.ts';
import { nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, entry, known, lineWith } from '../support/report.ts';
import { record } from '../support/waitline.ts';

interface Span {
	from: number;
	to: number;
}

const program = join(labPrograms, 'latency-rows.cjs');

/** What the server takes for each of twenty, the shortest first, in ms. */
const DELAYS = [...Array<number>(18).fill(20), 80, 80];
/** A timer of Node may fire this much too soon, in ms: Node counts in whole ones. */
const EARLY = 1;

/** The value at that rank of the waits, counted as the report counts. */
function percentile(waits: readonly number[], share: number): number {
	return waits.toSorted((a, b) => a - b)[Math.ceil(share * waits.length) - 1]!;
}

/** For how long at least one was under way. */
function union(spans: readonly Span[]): number {
	let sum = 0;
	let end = -Infinity;
	for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
		sum += Math.max(0, to - Math.max(from, end));
		end = Math.max(end, to);
	}
	return sum;
}

function assertBetween(least: number, actual: number, most: number, what: string): void {
	// The journal counts in µs.
	assert.ok(actual >= least - 0.01 && actual <= most + 0.01, `${what}: ${actual} is not within ${least} to ${most}`);
}

for (const node of nodes()) {
	it(`latencies and wall time are those that the program saw, on Node ${node.major}`, async () => {
		const { report, text } = await record(node, [program]);
		assertComplete(report);
		const own = JSON.parse(text) as { row: Span[]; together: Span[] };
		const lineOf = (path: string) =>
			entry(report, { file: program, line: lineWith(program, `path: '${path}'`), op: 'http.get' });
		const [row, together] = [lineOf('/row'), lineOf('/together')];
		for (const [line, spans, least] of [
			[row, own.row, DELAYS.reduce((sum, delay) => sum + delay - EARLY, 0)],
			[together, own.together, Math.max(...DELAYS) - EARLY],
		] as const) {
			assert.equal(line.count, 20);
			const wait = known(line, 'wait');
			const seen = spans.map(({ from, to }) => to - from);
			for (const [figure, share] of [
				['p50Ms', 0.5],
				['p95Ms', 0.95],
				['maxMs', 1],
			] as const) {
				assertBetween(percentile(DELAYS, share) - EARLY, wait[figure], percentile(seen, share), figure);
			}
			assertBetween(least, line.wallMs, union(spans), 'under way');
			const [first, last] = [Math.min(...spans.map(({ from }) => from)), Math.max(...spans.map(({ to }) => to))];
			assertBetween(20_000 / (last - first), line.perSecond!, 20_000 / least, 'operations a second');
		}
		// The next one of a row is started in the callback of the one before, which is not over by then.
		assert.ok(row.maxInFlight! <= 2, `${row.maxInFlight} in a row`);
		assert.equal(together.maxInFlight, 20);
		const timer = entry(report, { file: program, line: lineWith(program, 'setTimeout(Boolean, 300)') });
		assert.ok(known(timer, 'wait').totalMs >= 300 - EARLY, 'the timer took its time');
		assertNear(timer.wallMs, known(timer, 'lag').totalMs, 0, 'what counts is how late it was', 0.001);
		assert.ok([timer, row].sort(compareWall)[0] === row, 'a punctual timer ranks below what waited');
	});
}
