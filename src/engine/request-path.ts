// The way of one served request through the callbacks that led to its response: from the callback in which the response
// was finished back to the operation that it belongs to, to the callback that started this one, and so on to the
// request's arrival. What lies on that way took the request's time; what ran beside it did not.
import { addEstimate, type Estimate, noTime } from './estimate.ts';
import type { LineStats } from './line-stats.ts';
import type { Place } from './place.ts';
import type { Blocker } from './recent-runs.ts';

/**
 * What a stretch of a request's time went to: code of its own, an operation, the loop that ran something else, or
 * something unknown.
 */
export type StepKind = 'run' | 'wait' | 'blocked' | 'unknown';

/** One stretch of a request's time, in µs. */
export interface PathStep extends Estimate {
	readonly kind: StepKind;
	/** Of a wait, the line that started the operation; of a run, the line whose operation was over. */
	readonly stats: LineStats | null;
	/** The line that blocked it; null where that is unknown. */
	readonly place: Place | null;
	/** How many it is: 0 for the rest of a wait whose beginning is another step. */
	times: number;
}

/** A served request whose response is not finished. Times in µs of the thread. */
export interface OpenRequest {
	/** Of its operation. */
	readonly id: number;
	readonly stats: LineStats;
	/** When it arrived: the loop was busy from then on until its first callback. */
	readonly arrived: Estimate;
	/** Its connection; null where that is unknown. */
	readonly connection: { respondedAt: number } | null;
	isOver: boolean;
	/** Its latest callback. */
	last: Hop | null;
}

/** One callback that belongs to a request: the end of an operation that an earlier one started. */
export interface Hop {
	readonly request: OpenRequest;
	/** The callback that started the operation; null for the request's arrival, and where the earlier ones were added up. */
	readonly from: Hop | null;
	/** What came before, added up, where the way is too long to be kept. */
	readonly earlier: readonly PathStep[];
	/** The line of the operation. */
	readonly stats: LineStats | null;
	/** Whether an earlier callback was of the same operation: more of one answer. */
	readonly goesOn: boolean;
	readonly started: number;
	readonly began: number;
	/** Infinity while it runs. */
	ended: number;
	readonly blockers: readonly Blocker[];
	/** How many callbacks lie before it. */
	readonly depth: number;
}

/** Callbacks kept one by one per request: what a person can read. A stream that answers for hours has any number. */
const KEPT_HOPS = 256;

/** The callback of an operation that `from` started begins. @param goesOn whether it is not the operation's first */
export function hopAfter(
	from: Hop,
	stats: LineStats | null,
	started: number,
	began: number,
	blockers: readonly Blocker[],
	goesOn: boolean,
): Hop {
	const { request, depth } = from;
	const at = Math.max(started, from.began);
	const common = { request, stats, goesOn, started: at, began, ended: Infinity, blockers };
	if (depth < KEPT_HOPS) return { ...common, from, earlier: [], depth: depth + 1 };
	return { ...common, from: null, earlier: addedUp(stepsTo(from, at)), depth: 0 };
}

/** The request arrives, and its first callback begins. */
export function firstHop(request: OpenRequest, began: number, blockers: readonly Blocker[]): Hop {
	const started = request.arrived.value;
	return {
		request,
		from: null,
		earlier: [],
		stats: request.stats,
		goesOn: false,
		started,
		began,
		ended: Infinity,
		blockers,
		depth: 0,
	};
}

/** The steps of a request's time up to `until`, in which `hop` was its latest callback, in their order. */
export function stepsTo(hop: Hop, until: number): PathStep[] {
	const reversed: PathStep[] = [];
	const exactly = (kind: StepKind, stats: LineStats | null, us: number) => {
		if (us > 0) reversed.push({ kind, stats, place: null, times: 1, low: us, value: us, high: us });
	};
	let at = until;
	for (let now: Hop | null = hop; now !== null; now = now.from) {
		const end = Math.max(now.began, Math.min(at, now.ended));
		exactly('unknown', null, at - end);
		exactly('run', now.stats, end - now.began);
		reversed.push(...waitOf(now));
		at = now.started;
		if (now.from === null) reversed.push(...[...now.earlier].reverse());
	}
	return reversed.reverse();
}

/** A callback's wait without what blocked it, and that, the latest first. */
function waitOf({ request, from, earlier, stats, goesOn, started, began, blockers }: Hop): PathStep[] {
	const wait = began - started;
	const blocked = noTime();
	const steps: PathStep[] = [];
	for (const { place, low, value, high } of blockers) {
		const most = wait - blocked.value;
		const step = { low: Math.min(low, most), value: Math.min(value, most), high };
		if (high > 0) steps.push({ kind: 'blocked', stats: null, place, times: 1, ...step });
		addEstimate(blocked, step.low, step.value, step.high);
	}
	const rest = wait - blocked.value;
	// Before it arrived, a request waited for nothing.
	const isArrival = from === null && earlier.length === 0 && stats === request.stats;
	if (rest > 0 && !isArrival) {
		const low = Math.max(0, wait - blocked.high);
		const high = Math.max(rest, wait - blocked.low);
		steps.push({ kind: 'wait', stats, place: null, times: goesOn ? 0 : 1, low, value: rest, high });
	}
	return steps;
}

/** Steps of one kind and line as one. */
export function addedUp(steps: readonly PathStep[]): PathStep[] {
	const sums = new Map<LineStats | string, Map<StepKind, PathStep>>();
	for (const step of steps) {
		const { place } = step;
		const key = step.stats ?? (place === null ? '' : `${place.line}:${place.column} ${place.script}`);
		const kinds = sums.get(key) ?? new Map<StepKind, PathStep>();
		sums.set(key, kinds);
		const sum = kinds.get(step.kind);
		if (sum === undefined) kinds.set(step.kind, { ...step });
		else {
			addEstimate(sum, step.low, step.value, step.high);
			sum.times += step.times;
		}
	}
	return [...sums.values()].flatMap((kinds) => [...kinds.values()]);
}
