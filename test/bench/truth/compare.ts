// How far Waitline's queue, execution and lag times are from the true ones, and which targets they miss.
// A figure whose interval is at most 200 µs to either side counts as measured: the value that would be shown is
// compared with the true one. A wider one is estimated: the interval must contain the true value.
//
// The truth has an edge of its own. A thread that has been woken may find no CPU: a job that libuv has handed to a thread begins
// later, and the loop hears of its end later, the more so when who holds a lock has none. The loop may lose its CPU between `init` and
// the submit. Neither side can know, so such time (the scheduler and the probes report it) may be counted in either part. `raw` errors ignore that and take the first and the last
// instruction of the work for the truth.
import type { PoolJob } from '../../../src/engine/pool/thread-jobs.ts';
import { overlap, type Span } from './cpu-waits.ts';
import type { Run } from './measure.ts';

/** As src/engine/lines/line-stats.ts has it: half of an interval that counts as measured, µs. */
export const MEASURED_US = 200;
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
	/** Estimated figures whose interval contains the true value. */
	hits: number;
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

/** One figure beside the truth. */
export interface Verdict {
	name: 'queue' | 'execute' | 'lag';
	figure: Figure;
	/** The true value lies between, because the scheduler's delays may be counted in either part. */
	low: number;
	high: number;
	/** The truth with no regard to them. */
	raw: number;
}

export function compare(run: Run): Comparison {
	const { pairs, unmatched, busy } = run;
	const parts = { queue: newPart(), execute: newPart(), lag: newPart() };
	let tooWide = 0;
	for (const [i, verdicts] of verdictsOf(run).entries()) {
		if (verdicts === null) {
			for (const part of Object.values(parts)) part.unknown++;
			continue;
		}
		for (const verdict of verdicts) add(parts[verdict.name], verdict);
		if (isTooWide(pairs[i]!.reported, busy)) tooWide++;
	}
	for (const part of Object.values(parts)) {
		for (const list of [part.errors, part.raw, part.widths]) list.sort((a, b) => a - b);
	}
	return { jobs: pairs.length, unmatched, ...parts, tooWide };
}

/** What Waitline reports of each pair's job; null where it reports nothing. */
export function verdictsOf({ pairs, delays, noCpu }: Run): (Verdict[] | null)[] {
	const called = new Map(pairs.map(({ reported, truth }) => [truth, reported.called]));
	return pairs.map(({ reported, truth }) => {
		if (reported.began === null) return null;
		const { submitted, submitter, began, ended, cpuWait, previous } = truth;
		const figures = shown(reported, reported.began);
		// Waitline learns of the end of the previous job with a delay, then of the end of this one.
		const beginDelay = previous === null ? 0 : overlap(delays, previous.ended, called.get(previous) ?? previous.ended);
		const endDelay = overlap(delays, ended, reported.called);
		const submitDelay = overlap(noCpu.get(submitter) ?? [], reported.started, submitted);
		return [
			verdict('queue', figures.queue, began - submitted, cpuWait, beginDelay + submitDelay),
			verdict('execute', figures.execute, ended - began, beginDelay, cpuWait + endDelay + submitDelay),
			verdict('lag', figures.lag, reported.called - ended, endDelay, 0),
		];
	});
}

/** @param less, more by how much of the scheduler's delay the figure may be below and above the truth */
function verdict(name: Verdict['name'], figure: Figure, raw: number, less: number, more: number): Verdict {
	return { name, figure, low: Math.max(0, raw - less), high: raw + more, raw };
}

export function isMeasured({ low, value, high }: Figure): boolean {
	return Math.max(value - low, high - value) <= MEASURED_US;
}

/** How far the truth is from the value of a measured figure, and from the interval of an estimated one: µs. */
export function errorOf({ figure, low, high }: Verdict): number {
	const claim = isMeasured(figure) ? { low: figure.value, high: figure.value } : figure;
	return Math.max(0, low - claim.high, claim.low - high);
}

function newPart(): Part {
	return { errors: [], raw: [], far: 0, widths: [], hits: 0, unknown: 0 };
}

/** What src/engine/pool/thread-jobs.ts makes of a job: the report keeps only sums of it. */
function shown({ started, done, called }: PoolJob, began: NonNullable<PoolJob['began']>) {
	const beganAt = (began.low + began.high) / 2;
	const doneAt = Math.max(beganAt, (done.low + done.high) / 2);
	return {
		queue: { low: began.low - started, value: beganAt - started, high: began.high - started },
		execute: { low: Math.max(0, done.low - began.high), value: doneAt - beganAt, high: done.high - began.low },
		lag: { low: called - done.high, value: called - doneAt, high: called - done.low },
	};
}

function add(part: Part, verdict: Verdict): void {
	const { figure, raw } = verdict;
	const error = errorOf(verdict);
	if (isMeasured(figure)) {
		part.errors.push(error);
		part.raw.push(Math.abs(figure.value - raw));
		if (error > Math.max(2000, 0.05 * raw)) part.far++;
	} else {
		part.widths.push(figure.high - figure.low);
		if (error <= TOLERANCE_US) part.hits++;
	}
}

/** Whether an interval of a begin or an end is wider than any busy stretch meanwhile. */
export function isTooWide({ started, called, began, done }: PoolJob, busy: Span[]): boolean {
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
 * @param allowedTooWide share of the jobs whose interval may be wider than its busy stretch (see Load)
 */
export function missed({ jobs, unmatched, queue, execute, lag, tooWide }: Comparison, allowedTooWide = 0): string[] {
	const sentences: string[] = [];
	if (jobs === 0) sentences.push('no job was reported');
	if (unmatched > 0) sentences.push(`${unmatched} jobs have no partner`);
	if (tooWide > allowedTooWide * jobs)
		sentences.push(`${tooWide} intervals are wider than the busy stretch that caused them`);
	// Every job of the loads shows in async_hooks, so nothing excuses an unknown one.
	if (queue.unknown > 0.01 * jobs) sentences.push(`${queue.unknown} of ${jobs} jobs have an unknown split`);
	for (const [name, { errors, far, widths, hits }] of Object.entries({ queue, execute, lag })) {
		const median = percentile(errors, 0.5);
		if (errors.length >= FEW && median > MEDIAN_US) {
			sentences.push(`${name}: the median error is ${median.toFixed(0)} µs, above ${MEDIAN_US} µs`);
		}
		if (far > Math.max(1, 0.05 * errors.length)) {
			sentences.push(`${name}: ${far} of ${errors.length} measured are off by more than 2 ms and 5 %`);
		}
		if (widths.length - hits > Math.max(1, 0.01 * widths.length)) {
			sentences.push(`${name}: ${widths.length - hits} of ${widths.length} estimated intervals lack the truth`);
		}
	}
	return sentences;
}
