// The timeline of a recording whose journals have not been read: made from its index (timeline-index.ts), and where a stretch is short enough to be shown
// operation by operation, from the few bytes of its journals that say so. What it shows is what reading them all shows.
import type { Timeline, TimelineQuery } from '../protocol/timeline.ts';
import type { IndexedJournal, TimelineIndex } from '../protocol/timeline-index.ts';
import type { Resolve } from './common/place.ts';
import { type BinLane, TimeBins } from './common/time-bins.ts';
import { JournalIndex, type JournalStretch } from './journal/journal-index.ts';
import { compareBegins } from './journal/thread-facts.ts';
import type { SessionModel } from './session-model.ts';
import type { TimelineSums } from './timeline/timeline-density.ts';
import type { StretchDetail } from './timeline/timeline-detail.ts';
import { clockOf, timelineOf } from './timeline/timeline-report.ts';
import { shownDetail, stretchesOf, type TimelineJournal } from './timeline/timeline-stretches.ts';
import type { TimelineSource } from './timeline/timeline-summary.ts';

export class IndexedTimeline {
	private readonly session: SessionModel;
	/** In the order in which they would be read. */
	private readonly journals: readonly TimelineJournal[];
	/** In the order in which they began. */
	private readonly sources: readonly TimelineSource[];
	private readonly sums: TimelineSums<TimelineSource>;

	/**
	 * @param index of the recording, checked
	 * @param rows the sums that belong to it
	 * @param names of the recording's journals, in their order
	 * @param session one that knows what a debugger did, and has read nothing
	 */
	constructor(index: TimelineIndex, rows: readonly BinLane[], names: readonly string[], session: SessionModel) {
		this.session = session;
		const journals = index.journals.map((journal) => journalOf(journal, session));
		const sums = sumsOf(
			index,
			rows,
			journals.map(({ source }) => source),
		);
		const order = new Map(names.map((name, at) => [name, at]));
		this.journals = journals.sort((a, b) => order.get(a.name)! - order.get(b.name)!);
		const sources = this.journals.map(({ source }) => source);
		this.sums = inOrder(sums, sources);
		this.sources = sources.sort(compareBegins);
	}

	/** As `SessionModel.stretches`. */
	stretches(query: TimelineQuery): Map<string, JournalStretch> | null {
		return stretchesOf(query, this.journals, this.sums);
	}

	/** As `SessionModel.readAgain`. */
	readAgain(
		{ fromMs, toMs }: TimelineQuery,
		stretches: ReadonlyMap<string, JournalStretch>,
		bytesOf: (journal: string) => Uint8Array,
	): StretchDetail {
		const { us } = clockOf(this.sources);
		return this.session.readStretches(us(fromMs), us(toMs), stretches, bytesOf);
	}

	/** As `SessionModel.timeline`. */
	timeline(query: TimelineQuery, detail: StretchDetail | null, resolve: Resolve): Timeline {
		return timelineOf(this.sums, this.sources, query, shownDetail(detail), resolve);
	}
}

function journalOf(journal: IndexedJournal, session: SessionModel): TimelineJournal {
	const { name, bytes, pid, threadId, beganUs, nowUs, generations, blocks, missing, rests, stages } = journal;
	const pauses = session.pausesOf(pid);
	const inProcess = (at: number) => pauses.running(beganUs + at);
	const index = new JournalIndex();
	for (const [i, at] of generations.at.entries()) {
		index.add({ at, time: generations.timeUs[i]!, openJobs: generations.openJobs[i]! });
	}
	const source: TimelineSource = {
		facts: { pid, threadId, beganUs },
		originUs: inProcess(0),
		now: nowUs,
		blocks: blocks.map(({ place, startUs: start, durationUs: duration }) => ({
			place,
			start,
			duration,
			end: start + duration,
		})),
		missing: missing.map(({ fromUs: from, toUs: to }) => ({ from, to })),
		rests: rests.map(({ fromUs: from, toUs: to }) => ({ from, to })),
		stages,
		pauses,
		inProcess,
	};
	return { name, source, index, bytes };
}

/**
 * The sums in the order in which reading the journals makes them: one process after the other, where a session had all of them at once.
 * @param sources in the order in which their journals would be read
 */
function inOrder(
	{ bins, others, lanes, threads }: TimelineSums<TimelineSource>,
	sources: readonly TimelineSource[],
): TimelineSums<TimelineSource> {
	const pids = [...new Set(sources.map(({ facts }) => facts!.pid))];
	const order = new Map(pids.map((pid, at) => [pid, at]));
	const byProcess = (a: { thread: TimelineSource }, b: { thread: TimelineSource }) =>
		order.get(a.thread.facts!.pid)! - order.get(b.thread.facts!.pid)!;
	return { bins, others, lanes: [...lanes].sort(byProcess), threads: [...threads].sort(byProcess) };
}

/** @param sources of the index's journals, in their order */
function sumsOf(
	{ binUs, first, length, lines, loops }: TimelineIndex,
	rows: readonly BinLane[],
	sources: readonly TimelineSource[],
): TimelineSums<TimelineSource> {
	let taken = 0;
	const next = () => rows[taken++]!;
	return {
		bins: Object.assign(new TimeBins(), { binUs, first, length }),
		others: next(),
		lanes: lines.map(({ journal, op, class: kind, place, count, wholeUs }) => ({
			thread: sources[journal]!,
			stats: { place, op, class: kind },
			count,
			wholeUs,
			bins: next(),
		})),
		threads: loops.map(({ journal, hasQueue, hasRequests }) => ({
			thread: sources[journal]!,
			busy: next(),
			queued: hasQueue ? next() : null,
			requests: hasRequests ? next() : null,
		})),
	};
}
