// When what was drawn on the timeline was, of whatever kind it is.
import type { Timeline } from '../../protocol/timeline.ts';
import type { TimeRange } from '../common/time-range.ts';
import type { Target } from './timeline-brush.ts';
import { endOf } from './timeline-lanes.ts';

/** @returns null where the answer has no such thing */
export function timeOf({ blocks, gaps, detail }: Timeline, { kind, index }: Target): TimeRange | null {
	if (kind === 'gap') return gaps[index] ?? null;
	if (kind === 'block') return lasting(blocks[index]?.startMs, blocks[index]?.durationMs);
	if (detail === null) return null;
	const { operations, jobs, runs, collections, requests } = detail;
	switch (kind) {
		case 'operation': {
			const fromMs = operations.startMs[index];
			return fromMs === undefined ? null : { fromMs, toMs: endOf(operations, index) };
		}
		case 'job': {
			const [fromMs, toMs] = [jobs.startMs[index], jobs.doneMs[index]];
			return fromMs === undefined || toMs === undefined ? null : { fromMs, toMs };
		}
		case 'run':
			return lasting(runs.startMs[index], runs.durationMs[index]);
		case 'collection':
			return lasting(collections.startMs[index], collections.durationMs[index]);
		case 'request':
			return lasting(requests.startMs[index], requests.durationMs[index]);
		default:
			return kind satisfies never;
	}
}

function lasting(fromMs: number | undefined, ms: number | undefined): TimeRange | null {
	return fromMs === undefined || ms === undefined ? null : { fromMs, toMs: fromMs + ms };
}
