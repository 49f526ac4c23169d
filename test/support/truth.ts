// What really happened, according to the programs themselves: each prints when its operations started and when their
// callbacks began. The tests compare the report with these times, which stay true however busy the machine is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeBuild } from './nodes.ts';
import type { RunOptions } from './process.ts';
import { sum } from './report.ts';
import { type RecordedRun, record } from './waitline.ts';

export interface TimedRun extends RecordedRun {
	/**
	 * How long the program's main thread had no CPU, ms: the times that it prints, and those that the
	 * tracer records, may be behind the truth by up to this much.
	 */
	noCpuMs: number;
}

/** See `record`; for a program that prints its own times. */
export async function recordTimed(
	node: NodeBuild,
	args: string[],
	options?: RunOptions,
	own?: string[],
): Promise<TimedRun> {
	const recording = await record(node, ['--require', join(import.meta.dirname, 'no-cpu.cjs'), ...args], options, own);
	const match = /^no CPU for ([\d.]+) ms$/m.exec(recording.text);
	assert.ok(match, `the program printed how long it had no CPU: ${recording.text}`);
	return { ...recording, noCpuMs: Number(match[1]) };
}

/**
 * How long this test's own main thread has been ready to run without a CPU since its start, ms; 0 where the system has
 * no such statistics.
 */
export function ownNoCpuMs(): number {
	if (process.platform !== 'linux') return 0;
	// The second number: ns waiting for a CPU (sched-stats.rst).
	return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
}

export interface Span {
	from: number;
	to: number;
	/** How many ms it must have taken on any machine, as far as the program knows: at least 0. */
	least: number;
}

/**
 * All spans that the program printed as `what…: 0.4 to 12.3 ms`, perhaps with `, at least 10 ms` behind that, in the order of their
 * callbacks.
 */
export function spansPrinted(text: string, what: string): Span[] {
	const line = new RegExp(`^${what}[^\\n]*?: ([\\d.]+) to ([\\d.]+) ms(?:, at least (-?[\\d.]+) ms)?$`, 'gm');
	const spans = [...text.matchAll(line)].map(([, from, to, least = 0]) => ({
		from: Number(from),
		to: Number(to),
		least: Math.max(0, Number(least)),
	}));
	assert.ok(spans.length > 0, `the program printed its times of ${what}: ${text}`);
	return spans;
}

export function waitsOf(spans: readonly Span[]): number[] {
	return spans.map(({ from, to }) => to - from);
}

/** A µs for each of the times that a sum is made of, several times over. */
const ROUNDED_MS = 0.05;

/**
 * `actual` is possible, in ms: no less than what must have passed, and no more than what the program saw around it. It reads its clock before it
 * asks and after it is answered, so that holds wherever the machine stops meanwhile. What comes between is the program's and the tracer's own work.
 */
export function assertBetween(actual: number, least: number, most: number, what: string): void {
	assert.ok(
		actual >= least - ROUNDED_MS && actual <= most + ROUNDED_MS,
		`${what}: ${actual} should be between ${least.toFixed(3)} and ${most.toFixed(3)}`,
	);
}

/** The same of a sum of waits, and the spans that the program saw of each. */
export function assertWithin(actual: number, spans: readonly Span[], what: string): void {
	assertBetween(actual, sum(spans.map(({ least }) => least)), sum(waitsOf(spans)), what);
}

/**
 * How long each of these operations queued, in the order of their start, for operations that had a pool of `threads` to
 * themselves: the k-th gets its thread when the (k - threads)-th of all ends.
 */
export function queuesOf(spans: Span[], threads: number): number[] {
	const ends = spans.map(({ to }) => to).sort((a, b) => a - b);
	const starts = spans.map(({ from }) => from).sort((a, b) => a - b);
	return starts.map((start, k) => (k < threads ? 0 : Math.max(0, ends[k - threads]! - start)));
}

/** How long each operation ran on a pool of one thread. */
export function executionsOf(spans: Span[]): number[] {
	const queues = queuesOf(spans, 1);
	return waitsOf(spans.toSorted((a, b) => a.from - b.from)).map((wait, k) => wait - queues[k]!);
}

/** Equal work took equal time: no value is further than 10 % from their mean. */
function areEven(values: number[]): boolean {
	const mean = sum(values) / values.length;
	return values.every((value) => Math.abs(value - mean) <= 0.1 * mean);
}

/**
 * Repeats an experiment with equal pieces of work until the machine gave them equal time, which another program on it can
 * prevent. Only what the traced program itself measured decides, never the report, so this hides no fault of ours;
 * undefined when the machine never was even.
 */
export async function onAnEvenMachine<T>(
	experiment: () => Promise<T>,
	work: (result: T) => number[],
): Promise<T | undefined> {
	for (let attempt = 0; attempt < 6; attempt++) {
		const result = await experiment();
		if (areEven(work(result))) return result;
	}
	return undefined;
}

export const unevenMachine = 'the machine was too busy with something else to give equal work equal time';
