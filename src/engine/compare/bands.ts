// By how much a line's median and its p95 may differ by chance alone: the limits that contain the figure of all operations that the program could
// have done, if those that were recorded are a sample of them.
import type { Band } from '../../protocol/comparison.ts';
import type { OperationClass } from '../../protocol/report.ts';
import { groupBy } from '../common/group-by.ts';
import type { Resolve } from '../common/place.ts';
import { type LineStats, PartStats } from '../lines/line-stats.ts';
import type { RequestStats } from '../requests/request-stats.ts';

/** The limits contain the figure in 95 of a hundred cases: 1.96 standard deviations of a rank. */
const DEVIATIONS = 1.96;

/** How slow a line of the report was, or the requests of a handler. */
export interface PlacedLatency {
	readonly file: string;
	readonly line: number;
	readonly op: string;
	readonly class: OperationClass | 'request';
	readonly count: number;
	readonly wallMs: number;
	readonly p50Ms: number;
	readonly p95Ms: number;
	/** null where there are too few operations. */
	readonly p50: Band | null;
	readonly p95: Band | null;
}

interface Source {
	readonly lines: ReadonlyMap<string, LineStats>;
	readonly routes?: ReadonlyMap<LineStats, RequestStats>;
}

interface SiteShare {
	at: { file: string; line: number };
	op: string;
	class: PlacedLatency['class'];
	part: PartStats;
	count: number;
	wallMs: number;
}

/** Every line and every handler of a session whose operations have finished. */
export function latenciesOf(sources: readonly Source[], resolve: Resolve): PlacedLatency[] {
	const shares: SiteShare[] = [];
	for (const { lines, routes = new Map<LineStats, RequestStats>() } of sources) {
		for (const { place, op, class: kind, wait, lag, count, own } of lines.values()) {
			const at = resolve(place);
			// A timer is waited for on purpose until it is due.
			const part = kind === 'timer' ? lag : wait;
			if (at !== null) shares.push({ at, op, class: kind, part, count, wallMs: own.wall.us / 1000 });
		}
		for (const [{ place, op }, { duration, count }] of routes) {
			const at = resolve(place);
			if (at !== null) shares.push({ at, op, class: 'request', part: duration, count, wallMs: 0 });
		}
	}
	const groups = groupBy(shares, ({ at, op, class: kind }) => `${at.line} ${op} ${kind} ${at.file}`);
	return [...groups.values()].flatMap((group) => {
		const [{ at, op, class: kind }] = group as [SiteShare];
		const all = new PartStats();
		for (const { part } of group) all.addAll(part);
		const split = all.split();
		if (split === null || split.basis === 'unknown') return [];
		const count = group.reduce((sum, share) => sum + share.count, 0);
		// At least: threads may have waited at the same time.
		const wallMs = Math.max(...group.map((share) => share.wallMs));
		const { p50Ms, p95Ms } = split;
		const [p50, p95] = [bandOf(all, 0.5), bandOf(all, 0.95)];
		return [{ ...at, op, class: kind, count, wallMs, p50Ms, p95Ms, p50, p95 }];
	});
}

/** The limits of the value at that share of a part's values, by the ranks that chance moves it to. */
function bandOf(part: PartStats, share: number): Band | null {
	const { recorded } = part;
	const deviation = DEVIATIONS * Math.sqrt(recorded * share * (1 - share));
	const [low, high] = [recorded * share - deviation, recorded * share + deviation + 1];
	if (low < 1 || high > recorded) return null;
	return part.between(low / recorded, high / recorded);
}
