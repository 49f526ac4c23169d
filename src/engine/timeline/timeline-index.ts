// What a recording needs of a session to show stretches of its timeline before its journals are read (indexed-timeline.ts does that).
import type { IndexedJournal, IndexedPlace, TimelineIndex } from '../../protocol/timeline-index.ts';
import type { Place } from '../common/place.ts';
import { rowsOf } from './bin-rows.ts';
import type { TimelineSums } from './timeline-density.ts';
import type { TimelineJournal } from './timeline-stretches.ts';
import type { TimelineSource } from './timeline-summary.ts';

/** An index, and the sums that belong to it, as bytes. */
export interface SavedIndex {
	readonly index: TimelineIndex;
	readonly rows: Uint8Array;
}

/**
 * @param journals of the session
 * @param sums over its time
 * @param mostBytes that the sums may take
 * @returns null where they take more
 */
export function timelineIndexOf(
	journals: readonly TimelineJournal[],
	sums: TimelineSums<TimelineSource> & { readonly bins: Pick<TimelineIndex, 'binUs' | 'first' | 'length'> },
	scripts: Iterable<string>,
	mostBytes: number,
): SavedIndex | null {
	const { binUs, first, length } = sums.bins;
	const loops = [...sums.threads];
	const ofLoops = loops.flatMap(({ busy, queued, requests }) =>
		[busy, queued, requests].filter((lane) => lane !== null),
	);
	const rows = rowsOf([sums.others, ...sums.lanes.map(({ bins }) => bins), ...ofLoops], length, mostBytes);
	if (rows === null) return null;
	const journalAt = new Map(journals.map(({ source }, at) => [source, at]));
	const index: TimelineIndex = {
		binUs,
		first,
		length,
		journals: journals.map(journalOf),
		scripts: [...new Set(scripts)],
		lines: sums.lanes.map(({ thread, stats, count, wholeUs }) => {
			const { op, class: kind, place } = stats;
			return { journal: journalAt.get(thread)!, op, class: kind, place: placeOf(place), count, wholeUs };
		}),
		loops: loops.map(({ thread, queued, requests }) => ({
			journal: journalAt.get(thread)!,
			hasQueue: queued !== null,
			hasRequests: requests !== null,
		})),
	};
	return { index, rows };
}

/** How many rows of sums belong to an index. */
export function rowCountOf({ lines, loops }: TimelineIndex): number {
	return loops.reduce(
		(sum, { hasQueue, hasRequests }) => sum + 1 + Number(hasQueue) + Number(hasRequests),
		1 + lines.length,
	);
}

function journalOf({ name, bytes, source, index: { generations } }: TimelineJournal): IndexedJournal {
	const { facts, now, blocks, missing, rests, stages } = source;
	const { pid, threadId, beganUs } = facts!;
	return {
		name,
		bytes,
		pid,
		threadId,
		beganUs,
		nowUs: now,
		generations: {
			at: generations.map(({ at }) => at),
			timeUs: generations.map(({ time }) => time),
			openJobs: generations.map(({ openJobs }) => openJobs),
		},
		blocks: blocks.map(({ place, start, duration }) => ({
			place: place === null ? null : placeOf(place),
			startUs: start,
			durationUs: duration,
		})),
		missing: missing.map(({ from, to }) => ({ fromUs: from, toUs: to })),
		rests: rests.map(({ from, to }) => ({ fromUs: from, toUs: to })),
		stages: stages.map(({ startMs, stage }) => ({ startMs, stage })),
	};
}

function placeOf({ script, line, column, function: name = '' }: Place): IndexedPlace {
	return { script, line, column, function: name };
}
