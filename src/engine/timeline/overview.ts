// Makes the overview of a session from its densities.
import type { Overview, OverviewLine, OverviewThread } from '../../protocol/overview.ts';
import type { Resolve } from '../common/place.ts';
import type { BinRange } from '../common/time-bins.ts';
import type { ThreadSpan } from '../journal/thread-facts.ts';
import type { DensitySums } from './timeline-density.ts';

/** Bins of a row: about two per pixel column of the strip over the tabs. */
const MOST_BINS = 1024;
/** As many steps as a small picture has pixels to show. */
const TREND_STEPS = 96;

/** @param models the threads of the session */
export function overviewOf<T extends ThreadSpan>(
	density: DensitySums<T>,
	models: readonly T[],
	resolve: Resolve,
): Overview {
	const range = density.bins.range(-Infinity, Infinity, MOST_BINS);
	const { binUs, length, beganUs } = range;
	const known = models.filter(({ facts }) => facts !== null);
	const origin = known.reduce((least, { originUs }) => Math.min(least, originUs), Infinity);
	const ms = (us: number) => (us - origin) / 1000;
	const endMs = known.reduce((latest, { originUs, now }) => Math.max(latest, ms(originUs + now)), 0);
	const threads: OverviewThread[] = [];
	const queued = new Map<number, Float32Array>();
	for (const { thread, busy: busyLane, queued: queuedLane } of density.threads) {
		if (thread.facts === null) continue;
		const { pid, threadId } = thread.facts;
		const busyUs = density.bins.sums(busyLane, range);
		const busy = Uint8Array.from(busyUs, (us) => Math.min(255, Math.round((255 * us) / binUs)));
		threads.push({ pid, threadId, startMs: ms(thread.originUs), busy });
		if (queuedLane === null) continue;
		const queuedUs = density.bins.sums(queuedLane, range);
		const jobs = queued.get(pid) ?? new Float32Array(length);
		queued.set(pid, jobs);
		for (let bin = 0; bin < length; bin++) jobs[bin]! += queuedUs[bin]! / binUs;
	}
	const fromMs = length === 0 ? 0 : ms(beganUs);
	const binMs = binUs / 1000;
	const lines = linesOf(density, range, resolve).map((line) => lineOf(line, length, fromMs, binMs));
	const queues = [...queued].map(([pid, jobs]) => ({ pid, jobs }));
	return { fromMs, binMs, length, endMs, threads, queues, lines };
}

interface BusyLine extends Pick<OverviewLine, 'file' | 'line' | 'op' | 'class'> {
	busyUs: Float64Array;
}

/** The lines with what all threads did for them. */
function linesOf(density: DensitySums<unknown>, range: BinRange, resolve: Resolve): BusyLine[] {
	const lines = new Map<string, BusyLine>();
	for (const { stats, bins } of density.lanes) {
		const { op, class: kind, place } = stats;
		const at = resolve(place);
		if (at === null) continue;
		const key = `${at.line} ${op} ${kind} ${at.file}`;
		const line = lines.get(key);
		const busyUs = density.bins.sums(bins, range);
		if (line === undefined) {
			lines.set(key, { file: at.file, line: at.line, op, class: kind, busyUs });
			continue;
		}
		busyUs.forEach((us, bin) => {
			line.busyUs[bin]! += us;
		});
	}
	return [...lines.values()];
}

function lineOf({ busyUs, ...line }: BusyLine, length: number, fromMs: number, binMs: number): OverviewLine {
	const first = busyUs.findIndex((us) => us > 0);
	const last = busyUs.findLastIndex((us) => us > 0);
	const steps = Math.min(TREND_STEPS, length);
	const sums = new Float64Array(steps);
	busyUs.forEach((us, bin) => {
		sums[Math.floor((bin * steps) / length)]! += us;
	});
	const most = sums.reduce((peak, us) => Math.max(peak, us), 0);
	const trend = Uint8Array.from(sums, (us) => (us > 0 ? Math.max(1, Math.round((255 * us) / most)) : 0));
	return { ...line, fromMs: fromMs + first * binMs, toMs: fromMs + (last + 1) * binMs, trend };
}
