// Requests waited for callbacks that were each too short to count as a block: what each computes adds up for requests that arrive together.
import type { Line, RequestPart, Route, SourceLine } from '../../protocol/report.ts';
import { counted, formatMs } from '../../protocol/units.ts';
import { groupBy } from '../common/group-by.ts';
import { largest, sum } from '../common/sums.ts';
import { basisOf, named, percent, type Rule, type ThreadBlock } from './rule.ts';

/** One or two that waited are chance. */
const LEAST_REQUESTS = 5;
/** In all; less is a burst that nobody notices. */
const LEAST_MS = 100;
/** On average, as for late timers: a few ms pass in any busy server. */
const LEAST_MEAN_MS = 10;
/** Where half of the callbacks are shorter, what they compute is not the reason: many requests at once are, or a machine without a free core. */
const LEAST_RUN_MS = 2;
/** A share of the requests' time: below that, something else makes them slow. */
const LEAST_SHARE = 0.25;

export const requestsBlocked: Rule = ({ routes, lines, blocks }) => {
	const parts = routes.flatMap((route) =>
		route.parts.flatMap((part) => (part.kind === 'blocked' && part.file !== null ? [{ route, part }] : [])),
	);
	return [...groupBy(parts, ({ part }) => `${part.line} ${part.file}`).values()].flatMap((all) => {
		const blocker = blockerOf(all[0]!.part, lines);
		// A line's callbacks are several parts of one route where they were of several operations.
		const blocked = [...groupBy(all, ({ route }) => route)];
		const requests = sum(blocked, ([, ofRoute]) => Math.max(...ofRoute.map(({ part }) => part.count)));
		const inAllMs = sum(blocked, ([route]) => route.duration.totalMs);
		if (blocker?.run == null || blocker.run.basis === 'unknown' || blocker.run.p50Ms < LEAST_RUN_MS) return [];
		const blockedMs = sum(all, ({ part }) => part.leastMs) - byBlocksMs(blocker, all, blocks);
		if (requests < LEAST_REQUESTS || blockedMs < Math.max(LEAST_MS, LEAST_MEAN_MS * requests, LEAST_SHARE * inAllMs))
			return [];
		const most = largest(all, ({ part }) => part.leastMs)!.route;
		const isOwn = most.file === blocker.file && most.line === blocker.line;
		const share = blockedMs / inAllMs;
		return [
			{
				code: 'requests-blocked' as const,
				file: blocker.file,
				line: blocker.line,
				op: blocker.op,
				evidence: { requests, blockedMs, share, runP50Ms: blocker.run.p50Ms },
				basis: basisOf(all.map(({ route }) => route.blocked)),
				victim: isOwn ? null : { file: most.file, line: most.line, op: most.op },
				cause: null,
				message:
					`${counted(requests, 'request')}${isOwn ? '' : ` of ${named(most)}`} waited at least ${formatMs(blockedMs)} in total, ${percent(share)} of their time, ` +
					`for callbacks of ${named(blocker)} that were each too short to count as a block. Half of these ran for ${formatMs(blocker.run.p50Ms)} or less.`,
				lostMs: blockedMs,
				savesMs: null,
			},
		];
	});
};

/** The line whose callbacks ran longest there. */
function blockerOf({ file, line }: RequestPart, lines: readonly Line[]): Line | null {
	const there = lines.filter((other) => other.line === line && other.file === file);
	return largest(there, ({ run }) => run?.totalMs ?? 0);
}

/** For how long, at most, blocks behind that line, which have a finding of their own, delayed the requests of these routes, in ms. */
function byBlocksMs({ file, line }: Line, all: readonly { route: Route }[], blocks: readonly ThreadBlock[]): number {
	const isOfRoute = (at: SourceLine) => all.some(({ route }) => route.line === at.line && route.file === at.file);
	return sum(
		blocks
			.filter((block) => block.line === line && block.file === file)
			.flatMap(({ delays }) => delays.filter(isOfRoute)),
		({ mostMs }) => mostMs,
	);
}
