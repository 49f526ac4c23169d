// Which bytes of a session's journals are read again, so that a stretch of it can be shown operation by operation.
import type { TimelineQuery } from '../../protocol/timeline.ts';
import type { JournalIndex, JournalStretch } from '../journal/journal-index.ts';
import type { TimelineSums } from './timeline-density.ts';
import type { StretchDetail } from './timeline-detail.ts';
import { clockOf } from './timeline-report.ts';
import type { TimelineSource } from './timeline-summary.ts';

/** The most operations that are sent one by one: some 250 KiB. */
const MOST_SINGLE = 3000;
/** The most bytes of journals that are read again at once: that takes about half a second. */
const MOST_BYTES = 8 * 2 ** 20;

/** A journal that has named its thread. */
export interface TimelineJournal {
	readonly name: string;
	/** Its thread. */
	readonly source: TimelineSource;
	/** Where in it which time is. */
	readonly index: JournalIndex;
	/** How many bytes it has, as far as they were read. */
	readonly bytes: number;
}

/**
 * Which bytes of the journals say one by one what happened in a stretch; null where that is more than a person can see.
 * @param journals of the session
 * @param sums over its time
 * @returns by the journal's name
 */
export function stretchesOf(
	{ fromMs, toMs }: TimelineQuery,
	journals: readonly TimelineJournal[],
	sums: TimelineSums<TimelineSource>,
): Map<string, JournalStretch> | null {
	const { us } = clockOf(journals.map(({ source }) => source));
	const [from, to] = [us(fromMs), us(toMs)];
	if (endedBetween(sums, from, to) > MOST_SINGLE) return null;
	const stretches = new Map<string, JournalStretch>();
	let bytes = 0;
	for (const { name, source, index, bytes: end } of journals) {
		const stretch = index.stretch(from, to, end, (time) => source.inProcess(time));
		if (stretch === null) continue;
		stretches.set(name, stretch);
		bytes += stretch.to - stretch.from;
	}
	return bytes > MOST_BYTES ? null : stretches;
}

/** What was read of a stretch; null where it is too much to be sent. */
export function shownDetail(detail: StretchDetail | null): StretchDetail | null {
	return detail === null || detail.isFull || detail.operations.length > MOST_SINGLE ? null : detail;
}

/** About how many operations ended between two times, in µs of hrtime without the pauses of a debugger. */
function endedBetween({ bins, others, lanes }: TimelineSums<TimelineSource>, from: number, to: number): number {
	const range = bins.range(from, to, Infinity);
	const shares = Array.from({ length: range.length }, (_, bin) => {
		const began = range.beganUs + bin * range.binUs;
		return (Math.min(to, began + range.binUs) - Math.max(from, began)) / range.binUs;
	});
	let sum = 0;
	for (const lane of [others, ...lanes.map((each) => each.bins)]) {
		bins.ends(lane, range).count.forEach((count, bin) => {
			sum += count * shares[bin]!;
		});
	}
	return sum;
}
