// What happened in a stretch one by one, as the columns that cross to the panel.
import type { OperationClass } from '../../protocol/report.ts';
import type { TimelineDetail } from '../../protocol/timeline.ts';
import type { Place } from '../common/place.ts';
import type { DetailRun, StretchDetail } from './timeline-detail.ts';

interface LineIndex {
	/** -1 for a line that should not be shown. */
	indexOf(place: Place, op: string, kind: OperationClass): number;
}

/**
 * @param threadOf the index of a thread; -1 for one that is not shown
 * @param ms converts µs of hrtime without pauses
 */
export function columnsOf(
	detail: StretchDetail,
	threadOf: (thread: DetailRun['thread']) => number,
	lines: LineIndex,
	ms: (us: number) => number,
): TimelineDetail {
	/** Those of threads and lines that are shown, by their starts. */
	const placed = <T extends { thread: DetailRun['thread']; start: number }>(
		all: readonly T[],
		lineOf: (item: T) => number,
	) =>
		all
			.map((item) => ({ ...item, at: threadOf(item.thread), line: lineOf(item) }))
			.filter(({ at }) => at >= 0)
			.sort((a, b) => a.start - b.start);
	const runs = placed(detail.runs, ({ place, stats }) => {
		const at = place ?? stats?.place;
		return at === undefined ? -1 : lines.indexOf(at, stats?.op ?? '', stats?.class ?? 'other');
	});
	const runAt = new Map(runs.map(({ at, number }, index) => [`${at} ${number}`, index]));
	const requests = placed(detail.requests, ({ request: { stats } }) =>
		lines.indexOf(stats.place, stats.op, stats.class),
	).filter(({ line }) => line >= 0);
	const requestAt = new Map(requests.map(({ request }, index) => [request, index]));
	const operations = placed(detail.operations, ({ stats }) => lines.indexOf(stats.place, stats.op, stats.class)).filter(
		({ line }) => line >= 0,
	);
	const operationAt = new Map(operations.map(({ logical }, index) => [logical, index]));
	const jobs = placed(detail.jobs, ({ logical: { stats } }) =>
		stats === null ? -1 : lines.indexOf(stats.place, stats.op, stats.class),
	);
	const collections = placed(detail.collections, () => -1);
	const length = (us: number) => us / 1000;
	const part = (us: number) => (us < 0 ? -1 : us / 1000);
	return {
		operations: {
			thread: Uint16Array.from(operations, ({ at }) => at),
			line: Uint32Array.from(operations, ({ line }) => line),
			startMs: Float64Array.from(operations, ({ start }) => ms(start)),
			waitMs: Float32Array.from(operations, ({ wait }) => length(wait)),
			calledMs: Float64Array.from(operations, ({ called }) => ms(called)),
			queueMs: Float32Array.from(operations, ({ queue }) => part(queue)),
			executeMs: Float32Array.from(operations, ({ execute }) => part(execute)),
			lagMs: Float32Array.from(operations, ({ lag }) => part(lag)),
			runMs: Float32Array.from(operations, ({ run }) => length(run)),
			uncertaintyMs: Float32Array.from(operations, ({ uncertainty }) => length(uncertainty)),
			isOpen: Uint8Array.from(operations, ({ isOpen }) => Number(isOpen)),
			starter: Int32Array.from(operations, ({ at, startedIn }) => runAt.get(`${at} ${startedIn}`) ?? -1),
			run: Int32Array.from(operations, ({ at, ranIn }) => runAt.get(`${at} ${ranIn}`) ?? -1),
			behind: Int32Array.from(operations, ({ behind }) => (behind === null ? -1 : (operationAt.get(behind) ?? -1))),
			request: Int32Array.from(operations, ({ request }) => (request === null ? -1 : (requestAt.get(request) ?? -1))),
		},
		runs: {
			thread: Uint16Array.from(runs, ({ at }) => at),
			line: Int32Array.from(runs, ({ line }) => line),
			startMs: Float64Array.from(runs, ({ start }) => ms(start)),
			durationMs: Float32Array.from(runs, ({ duration }) => length(duration)),
			isMain: Uint8Array.from(runs, ({ isMain }) => Number(isMain)),
		},
		jobs: {
			thread: Uint16Array.from(jobs, ({ at }) => at),
			line: Int32Array.from(jobs, ({ line }) => line),
			operation: Int32Array.from(jobs, ({ logical }) => operationAt.get(logical) ?? -1),
			startMs: Float64Array.from(jobs, ({ start }) => ms(start)),
			beganMs: Float64Array.from(jobs, ({ began }) => ms(began)),
			doneMs: Float64Array.from(jobs, ({ done }) => ms(done)),
			uncertaintyMs: Float32Array.from(jobs, ({ uncertainty }) => length(uncertainty)),
		},
		collections: {
			thread: Uint16Array.from(collections, ({ at }) => at),
			startMs: Float64Array.from(collections, ({ start }) => ms(start)),
			durationMs: Float32Array.from(collections, ({ duration }) => length(duration)),
		},
		requests: {
			thread: Uint16Array.from(requests, ({ at }) => at),
			line: Uint32Array.from(requests, ({ line }) => line),
			startMs: Float64Array.from(requests, ({ start }) => ms(start)),
			durationMs: Float32Array.from(requests, ({ start, end, thread }) => length((end ?? lastOf(thread)) - start)),
			isOpen: Uint8Array.from(requests, ({ end }) => Number(end === null)),
		},
	};
}

/** The last moment that was read of a thread, in µs of hrtime without pauses. */
function lastOf({ originUs, now }: DetailRun['thread']): number {
	return originUs + now;
}
