// How far Waitline's queue, execution and lag times are from the truth, and whether that meets the targets.
//
// A figure whose interval is at most 200 µs to either side counts as measured: the value that would be shown is held against
// the truth. A wider one is estimated: the interval must hold the truth.
//
// The truth has an edge of its own. A thread that has been woken may find no CPU: a job that libuv has handed to a thread begins
// later, and the loop hears of its end later, the more so when who holds a lock has none. Neither side can know, so such time
// (the scheduler and the probes tell it) may be counted in either part. `raw` errors ignore that and take the first and the last
// instruction of the work for the truth.
import type { PoolJob } from '../../../src/engine/thread-model.ts';
import { overlap, type Span } from './cpu-waits.ts';
import type { Run } from './measure.ts';

/** As src/engine/line-stats.ts has it: half of an interval that counts as measured, µs. */
const MEASURED_US = 200;
const MEDIAN_US = 200;
/** What the probes themselves cost, `init` to submit, and waking a thread that finds a CPU at once: µs. */
export const TOLERANCE_US = 100;

export interface Part {
	/** Errors of measured figures, sorted, µs. */
	errors: number[];
	/** The same with the scheduler's delays taken for errors. */
	raw: number[];
	/** Measured figures that are further off than 2 ms and 5 % of the truth. */
	far: number;
	/** Widths of the intervals of estimated figures, sorted, µs. */
	widths: number[];
	/** Estimated figures whose interval holds the truth. */
	held: number;
	unknown: number;
}

export interface Comparison {
	jobs: number;
	unmatched: number;
	queue: Part;
	execute: Part;
	lag: Part;
	/** Intervals of a begin or an end that are wider than any busy stretch of the loop meanwhile. */
	tooWide: number;
}

interface Figure {
	low: number;
	value: number;
	high: number;
}

export function compare({ pairs, unmatched, busy, delays }: Run): Comparison {
	const [queue, execute, lag] = [newPart(), newPart(), newPart()];
	let tooWide = 0;
	const called = new Map(pairs.map(({ told, truth }) => [truth, told.called]));
	for (const { told, truth } of pairs) {
		if (told.began === null) {
			for (const part of [queue, execute, lag]) part.unknown++;
			continue;
		}
		const figures = shown(told, told.began);
		// Waitline hears of the job before late, and then of this one.
		const { previous } = truth;
		const lateBegin = previous === null ? 0 : overlap(delays, previous.ended, called.get(previous) ?? previous.ended);
		const lateEnd = overlap(delays, truth.ended, told.called);
		add(queue, figures.queue, truth.began - truth.submitted, truth.cpuWait, lateBegin);
		add(execute, figures.execute, truth.ended - truth.began, lateBegin, truth.cpuWait + lateEnd);
		add(lag, figures.lag, told.called - truth.ended, lateEnd, 0);
		if (isTooWide(told, busy)) tooWide++;
	}
	for (const part of [queue, execute, lag]) {
		for (const list of [part.errors, part.raw, part.widths]) list.sort((a, b) => a - b);
	}
	return { jobs: pairs.length, unmatched, queue, execute, lag, tooWide };
}

function newPart(): Part {
	return { errors: [], raw: [], far: 0, widths: [], held: 0, unknown: 0 };
}

/** What src/engine/thread-model.ts makes of a job: the report keeps only sums of it. */
function shown({ started, done, called }: PoolJob, began: NonNullable<PoolJob['began']>) {
	const beganAt = (began.low + began.high) / 2;
	const doneAt = Math.max(beganAt, (done.low + done.high) / 2);
	return {
		queue: { low: began.low - started, value: beganAt - started, high: began.high - started },
		execute: { low: Math.max(0, done.low - began.high), value: doneAt - beganAt, high: done.high - began.low },
		lag: { low: called - done.high, value: called - doneAt, high: called - done.low },
	};
}

/** @param less, more by how much of the scheduler's delay the figure may be below and above the truth */
function add(part: Part, figure: Figure, truth: number, less: number, more: number): void {
	const low = Math.max(0, truth - less);
	const high = truth + more;
	if (Math.max(figure.value - figure.low, figure.high - figure.value) <= MEASURED_US) {
		const error = Math.max(0, low - figure.value, figure.value - high);
		part.errors.push(error);
		part.raw.push(Math.abs(figure.value - truth));
		if (error > Math.max(2000, 0.05 * truth)) part.far++;
	} else {
		part.widths.push(figure.high - figure.low);
		if (figure.low - TOLERANCE_US <= high && low <= figure.high + TOLERANCE_US) part.held++;
	}
}

function isTooWide({ started, called, began, done }: PoolJob, busy: Span[]): boolean {
	let longest = 0;
	for (const { from, to } of busy) if (from <= called && to >= started) longest = Math.max(longest, to - from);
	const width = Math.max(began === null ? 0 : began.high - began.low, done.high - done.low);
	return width > longest + TOLERANCE_US;
}

/** The value that this share of a sorted list does not exceed; 0 of an empty one. */
export function percentile(sorted: number[], share: number): number {
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** One figure more or less decides nothing below this many. */
const FEW = 10;

/**
 * The targets that a comparison misses, a sentence each. A share is missed by two figures at least: one may be a probe's.
 * @param allowedTooWide share of the jobs whose interval may be wider than its busy stretch
 */
export function missed({ jobs, unmatched, queue, execute, lag, tooWide }: Comparison, allowedTooWide = 0): string[] {
	const sentences: string[] = [];
	if (jobs === 0) sentences.push('no job was told');
	if (unmatched > 0) sentences.push(`${unmatched} jobs have no partner`);
	if (tooWide > allowedTooWide * jobs)
		sentences.push(`${tooWide} intervals are wider than the busy stretch that caused them`);
	// Every job of the loads shows in async_hooks, so nothing excuses an unknown one.
	if (queue.unknown > 0.01 * jobs) sentences.push(`${queue.unknown} of ${jobs} jobs have an unknown split`);
	for (const [name, { errors, far, widths, held }] of Object.entries({ queue, execute, lag })) {
		const median = percentile(errors, 0.5);
		if (errors.length >= FEW && median > MEDIAN_US) {
			sentences.push(`${name}: the median error is ${median.toFixed(0)} µs, above ${MEDIAN_US} µs`);
		}
		if (far > Math.max(1, 0.05 * errors.length)) {
			sentences.push(`${name}: ${far} of ${errors.length} measured are off by more than 2 ms and 5 %`);
		}
		if (widths.length - held > Math.max(1, 0.01 * widths.length)) {
			sentences.push(`${name}: ${widths.length - held} of ${widths.length} estimated intervals lack the truth`);
		}
	}
	return sentences;
}
