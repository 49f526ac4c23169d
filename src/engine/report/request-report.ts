// The routes of the report: the requests of one handler over all threads, at positions in the user's sources.
import type {
	OperationClass,
	RequestPart,
	RequestStep,
	Route,
	Split,
	TypicalRequest,
	UnansweredRoute,
} from '../../protocol/report.ts';
import type { Resolve } from '../common/place.ts';
import { WallTime } from '../common/wall-time.ts';
import { PartStats } from '../lines/line-stats.ts';
import { compareLines } from '../lines/report-line.ts';
import type { PathStep, StepKind } from '../operations/request-path.ts';
import type { RequestSample, RequestStats } from '../requests/request-stats.ts';
import type { ThreadModel } from '../threads/thread-model.ts';

/** Parts of a route's time that the report has. */
const PARTS_SHOWN = 20;

/** What serves others than the program itself waits for the kernel. */
const SERVED_CLASS: OperationClass = 'kernel';

/** A route over all threads. */
interface RouteGroup extends Pick<Route, 'file' | 'line' | 'op'> {
	shares: RouteShare[];
}

/** What one thread has of a route. */
interface RouteShare {
	readonly model: ThreadModel;
	readonly route: RequestStats;
	/** When the oldest of its requests that are not over had arrived, in µs of the thread; Infinity where there is none. */
	readonly since: number;
}

/** The routes with a finished response, the one first whose requests took the most time. */
export function routesOf(models: readonly ThreadModel[], resolve: Resolve): Route[] {
	return groupsOf(models, resolve)
		.filter(({ shares }) => shares.some(({ route }) => route.count > 0))
		.map(({ shares, ...at }) => {
			const answered = shares.filter(({ route }) => route.count > 0);
			return routeOf(at, withoutResponse(shares), answered, resolve);
		})
		.sort((a, b) => b.duration.totalMs - a.duration.totalMs || compareLines(a, b));
}

/** Routes of servers without a finished response. Work that the program names may have no end at all. */
export function unansweredOf(models: readonly ThreadModel[], resolve: Resolve): UnansweredRoute[] {
	return groupsOf(models, resolve)
		.filter(({ shares }) => shares.every(({ route }) => route.count === 0 && route.stats.class === SERVED_CLASS))
		.map(({ shares, ...at }) => ({ ...at, ...withoutResponse(shares) }))
		.filter(({ pending, closedEarly }) => pending + closedEarly > 0)
		.sort(compareLines);
}

/** By line. */
function groupsOf(models: readonly ThreadModel[], resolve: Resolve): RouteGroup[] {
	const groups = new Map<string, RouteGroup>();
	for (const model of models) {
		if (model.routes.size === 0) continue;
		const oldest = model.oldestRequests();
		for (const [stats, route] of model.routes) {
			const at = resolve(stats.place);
			if (at === null) continue;
			const key = `${at.line} ${stats.op} ${at.file}`;
			const group = groups.get(key) ?? { file: at.file, line: at.line, op: stats.op, shares: [] };
			groups.set(key, group);
			group.shares.push({ model, route, since: oldest.get(route) ?? Infinity });
		}
	}
	return [...groups.values()];
}

/** What no response was finished of. */
type WithoutResponse = Pick<Route, 'pending' | 'oldestPending' | 'closedEarly'>;

function withoutResponse(shares: readonly RouteShare[]): WithoutResponse {
	const open: WithoutResponse = { pending: 0, oldestPending: null, closedEarly: 0 };
	let oldestUs = Infinity;
	for (const { model, route, since } of shares) {
		open.pending += route.open;
		open.closedEarly += route.closedEarly;
		const { pid, threadId, beganUs } = model.facts!;
		if (beganUs + since >= oldestUs) continue;
		oldestUs = beganUs + since;
		open.oldestPending = { pid, threadId, startMs: since / 1000 };
	}
	return open;
}

/** @param shares those with a finished response */
function routeOf(
	at: Pick<Route, 'file' | 'line' | 'op'>,
	open: WithoutResponse,
	shares: readonly RouteShare[],
	resolve: Resolve,
): Route {
	const count = shares.reduce((total, { route }) => total + route.count, 0);
	const wall = new WallTime();
	const originUs = shares[0]!.model.originUs;
	for (const { model, route } of shares) wall.addAll(route.wall, model.originUs - originUs);
	const duration = addedUp(shares.map(({ route }) => route.duration));
	const part = (kind: StepKind) => splitOf(shares.map(({ route }) => route.parts[kind]));
	return {
		...at,
		count,
		...open,
		perSecond: count < 2 || wall.span === 0 ? null : (count * 1e6) / wall.span,
		duration: duration.split()!,
		histogram: duration.bins(),
		run: part('run'),
		wait: part('wait'),
		blocked: part('blocked'),
		unknown: part('unknown'),
		parts: partsOf(shares, resolve),
		typical: typicalOf(shares, duration.median, resolve),
		sampledOf: shares.reduce((most, { route }) => Math.max(most, route.stats.sampledOf), 1),
	};
}

function addedUp(parts: readonly PartStats[]): PartStats {
	const all = new PartStats();
	for (const part of parts) all.addAll(part);
	return all;
}

function splitOf(parts: readonly PartStats[]): Split {
	return addedUp(parts).split()!;
}

function partsOf(shares: readonly RouteShare[], resolve: Resolve): RequestPart[] {
	const parts = new Map<string, RequestPart>();
	for (const { route } of shares) {
		for (const sum of route.steps) {
			const { count, times } = sum;
			const step = stepOf(sum, resolve);
			const key = `${step.kind} ${step.line} ${step.op} ${step.class} ${step.file}`;
			const known = parts.get(key);
			if (known === undefined) {
				parts.set(key, { ...step, count, times });
				continue;
			}
			known.count += count;
			known.times += times;
			known.ms += step.ms;
			known.leastMs += step.leastMs;
			known.mostMs += step.mostMs;
		}
	}
	return [...parts.values()].sort((a, b) => b.ms - a.ms).slice(0, PARTS_SHOWN);
}

/** The one nearest to the median of all, in µs: threads differ, and so do handlers' calls that the route puts together. */
function typicalOf(shares: readonly RouteShare[], median: number, resolve: Resolve): TypicalRequest {
	const near = shares.flatMap(({ model, route }) => {
		const sample = route.nearest(median);
		return sample === null ? [] : [{ model, ...sample }];
	});
	const distance = ({ duration }: RequestSample) => Math.abs(duration.value - median);
	const { model, arrived, duration, steps } = near.reduce((best, each) => {
		return distance(each) < distance(best) ? each : best;
	});
	return {
		pid: model.facts!.pid,
		threadId: model.facts!.threadId,
		startMs: arrived / 1000,
		// Of a damaged journal they may be below zero.
		durationMs: Math.max(0, duration.value) / 1000,
		leastMs: Math.max(0, duration.low) / 1000,
		mostMs: Math.max(0, duration.high) / 1000,
		steps: steps.map((step) => stepOf(step, resolve)),
	};
}

function stepOf({ kind, stats, place, low, value, high }: PathStep, resolve: Resolve): RequestStep {
	const at = stats?.place ?? place;
	const shown = at === null ? null : resolve(at);
	return {
		kind,
		file: shown?.file ?? null,
		line: shown?.line ?? null,
		op: stats?.op ?? '',
		class: kind === 'wait' ? (stats?.class ?? null) : null,
		ms: value / 1000,
		leastMs: low / 1000,
		mostMs: high / 1000,
	};
}
