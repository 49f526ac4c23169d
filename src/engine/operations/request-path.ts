// The way of one served request through the callbacks that led to its response: from the callback in which the response
// was finished back to the operation that it belongs to, to the callback that started this one, and so on to the
// request's arrival. What lies on that way took the request's time; what ran beside it did not.
import type { ResourceFacts } from '../../protocol/resource-facts.ts';
import { addEstimate, type Estimate, noTime } from '../common/estimate.ts';
import { isSamePlace, type Place } from '../common/place.ts';
import type { SiteFacts } from '../lines/journal-tables.ts';
import type { LineStats } from '../lines/line-stats.ts';
import type { LogicalOperation } from './logical-operation.ts';
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
	/** The line of its handler, as far as that has shown. */
	stats: LineStats;
	/** The line that it was on when it arrived. */
	readonly arrivedOn: LineStats;
	/** The router's function that called its handler; null where none did, or that is unknown. */
	caller: Place | null;
	/** Its operation; null for work that the program names. */
	readonly served: {
		readonly type: ResourceFacts;
		readonly logical: LogicalOperation;
		readonly site: SiteFacts | null;
	} | null;
	/** When it arrived: the loop was busy from then on until its first callback. */
	readonly arrived: Estimate;
	/** Its connection; null where that is unknown. */
	readonly connection: { respondedAt: number } | null;
	/** Of HTTP/2, the id of its connection's session; 0 where that is unknown. */
	readonly session: number;
	/** The request that it is part of: work that the program has named within another one. */
	parent: OpenRequest | null;
	isOver: boolean;
	/** Of named work, its beginning. */
	first: Hop | null;
	/** Its latest callback, as far as that is certain. */
	last: Hop | null;
	/** Its latest callback that was not one of its own connection's. */
	latest: Hop | null;
}

/** One callback that belongs to a request: the end of an operation that an earlier one started. */
export interface Hop {
	readonly request: OpenRequest;
	/** The callback that started the operation; null for the request's arrival, and where the earlier ones were added up. */
	from: Hop | null;
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
	/** Whether what it brings had come before the callback before it was over: then it waited for nothing but its turn. */
	readonly isInTurn: boolean;
	/** How many callbacks lie before it. */
	readonly depth: number;
	/** Of a callback that continues several requests; null of any other. */
	shared: SharedRun | null;
}

/** A callback that continues several requests: which part of it is whose is not known. */
export interface SharedRun {
	/** How many they are. */
	count: number;
	/** The line whose operations it ends; null where they are on several. */
	place: Place | null;
	/** Infinity while it runs. */
	ended: number;
}

/** Callbacks kept one by one per request: what a person can read. A stream that answers for hours has any number. */
export const KEPT_HOPS = 256;

/** The callback of an operation that `from` started begins. @param goesOn whether it is not the operation's first @param isInTurn see `Hop` */
export function hopAfter(
	from: Hop,
	stats: LineStats | null,
	started: number,
	began: number,
	blockers: readonly Blocker[],
	goesOn: boolean,
	isInTurn = false,
): Hop {
	const { depth } = from;
	const request = openAt(from) ?? from.request;
	const at = Math.max(started, from.began);
	const common = { request, stats, goesOn, isInTurn, started: at, began, ended: Infinity, blockers, shared: null };
	if (depth < KEPT_HOPS) return { ...common, from, earlier: [], depth: depth + 1 };
	return { ...common, from: null, earlier: addedUp(stepsTo(from, at, request)), depth: 0 };
}

/** The request that a callback works for: where that is over, the one that it was part of; null where none is left. */
export function openAt(hop: Hop): OpenRequest | null {
	let request: OpenRequest | null = hop.request;
	while (request?.isOver) request = request.parent;
	return request;
}

/** The request arrives, and its first callback begins. @param from the callback that named the work, if it is that */
export function firstHop(
	request: OpenRequest,
	began: number,
	blockers: readonly Blocker[],
	from: Hop | null = null,
): Hop {
	const started = request.arrived.value;
	return {
		request,
		from,
		earlier: [],
		stats: request.stats,
		goesOn: false,
		isInTurn: false,
		started,
		began,
		ended: Infinity,
		blockers,
		depth: from === null ? 0 : from.depth + 1,
		shared: null,
	};
}

/** The steps of a request's time up to `until`, in which `hop` was the latest callback of it or of what is part of it, in their order. */
export function stepsTo(hop: Hop, until: number, request: OpenRequest): PathStep[] {
	const reversed: PathStep[] = [];
	let at = until;
	for (let now: Hop | null = hop; now !== null; now = now.from) {
		const end = Math.max(now.began, Math.min(at, now.shared?.ended ?? now.ended));
		if (at > end) reversed.push(exactly('unknown', null, at - end));
		if (end > now.began) addRun(now, end - now.began, reversed);
		addWait(now, reversed);
		at = now.started;
		if (now.from === null) for (let i = now.earlier.length - 1; i >= 0; i--) reversed.push(now.earlier[i]!);
		if (now === request.first) break;
	}
	return reversed.reverse();
}

function exactly(kind: StepKind, stats: LineStats | null, us: number): PathStep {
	return { kind, stats, place: null, times: 1, low: us, value: us, high: us };
}

/** Adds to `steps` what a callback ran, the latest first: its own code, or that of any of the requests which it continues. */
function addRun({ stats, shared }: Hop, us: number, steps: PathStep[]): void {
	if (shared === null) {
		steps.push(exactly('run', stats, us));
		return;
	}
	const own = us / shared.count;
	steps.push({ kind: 'run', stats, place: null, times: 1, low: 0, value: own, high: us });
	steps.push({ kind: 'blocked', stats: null, place: shared.place, times: 1, low: 0, value: us - own, high: us });
}

/** Adds to `steps` a callback's wait without what blocked it, and that, the latest first. */
function addWait(hop: Hop, steps: PathStep[]): void {
	const { request, from, earlier, stats, goesOn, isInTurn, started, began, blockers } = hop;
	const wait = began - started;
	const blocked = noTime();
	for (let i = 0; i < blockers.length; i++) {
		const { place, low, value, high } = blockers[i]!;
		const most = wait - blocked.value;
		const [least, likely] = [Math.min(low, most), Math.min(value, most)];
		if (high > 0) steps.push({ kind: 'blocked', stats: null, place, times: 1, low: least, value: likely, high });
		addEstimate(blocked, least, likely, high);
	}
	const rest = wait - blocked.value;
	// Before it arrived, a request waited for nothing.
	const isArrival = from === null && earlier.length === 0 && stats === request.arrivedOn;
	if (rest > 0 && !isArrival) {
		const low = Math.max(0, wait - blocked.high);
		const high = Math.max(rest, wait - blocked.low);
		if (isInTurn) steps.push({ kind: 'unknown', stats: null, place: null, times: 1, low, value: rest, high });
		else steps.push({ kind: 'wait', stats, place: null, times: goesOn ? 0 : 1, low, value: rest, high });
	}
}

/** Up to this many steps are compared with one another instead of looked up: most requests have a few. */
const COMPARED = 16;

/** Steps of one kind and line as one, those of a line behind one another. */
export function addedUp(steps: readonly PathStep[]): PathStep[] {
	return steps.length <= COMPARED ? fewAddedUp(steps) : manyAddedUp(steps);
}

function fewAddedUp(steps: readonly PathStep[]): PathStep[] {
	const sums: PathStep[] = [];
	for (let i = 0; i < steps.length; i++) {
		const step = steps[i]!;
		let at = 0;
		while (at < sums.length && !isSameSource(sums[at]!, step)) at++;
		while (at < sums.length && sums[at]!.kind !== step.kind && isSameSource(sums[at]!, step)) at++;
		const sum = sums[at];
		if (sum !== undefined && sum.kind === step.kind && isSameSource(sum, step)) addTo(sum, step);
		else if (at === sums.length) sums.push({ ...step });
		else sums.splice(at, 0, { ...step });
	}
	return sums;
}

function isSameSource(a: PathStep, b: PathStep): boolean {
	if (a.stats !== null || b.stats !== null) return a.stats === b.stats;
	return isSamePlace(a.place, b.place);
}

function addTo(sum: PathStep, { low, value, high, times }: PathStep): void {
	addEstimate(sum, low, value, high);
	sum.times += times;
}

function manyAddedUp(steps: readonly PathStep[]): PathStep[] {
	const sums = new Map<LineStats | string, Map<StepKind, PathStep>>();
	for (const step of steps) {
		const { place } = step;
		const key = step.stats ?? (place === null ? '' : `${place.line}:${place.column} ${place.script}`);
		const kinds = sums.get(key) ?? new Map<StepKind, PathStep>();
		sums.set(key, kinds);
		const sum = kinds.get(step.kind);
		if (sum === undefined) kinds.set(step.kind, { ...step });
		else addTo(sum, step);
	}
	return [...sums.values()].flatMap((kinds) => [...kinds.values()]);
}
