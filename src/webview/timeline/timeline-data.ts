// What the timeline has of a session: all of it in the chart's resolution, and the stretch that is shown, with as much before and after it, so that moving shows
// something at once. It is asked for as the person moves and as the program runs. Threads and lines have the same numbers in all answers.
import type { Timeline, TimelineLine, TimelineQuery, TimelineThread } from '../../protocol/timeline.ts';
import type { TimeRange } from '../common/time-range.ts';

/** A stretch that is shorter than what was asked for by more than this factor is asked for again: it has finer bins. */
const FINER = 6;
/** Bins per CSS pixel, and the most: the extension sends no more. */
const BINS_PER_PIXEL = 1;
const MOST_BINS = 1024;
/** Of a running session's time, at most one part in this many goes into answers about all of it. */
const SHARE = 4;
/** All of the session is asked for again after this at the latest, in ms: a machine that had no time for one answer may have it for the next. */
const LONGEST_PAUSE_MS = 10_000;
/** Where a stretch with an answer of its own is shown, all of the session is asked for this often at most, in ms. */
const WHOLE_MS = 1000;
/** Before anything is known of a session, all of it is asked for. */
const EVERYTHING: TimeRange = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

type Extent = 'whole' | 'near';

export class TimelineData {
	/** All that were in any answer: the answers' indices lead here. */
	readonly threads: TimelineThread[] = [];
	readonly lines: TimelineLine[] = [];
	whole: Timeline | null = null;
	near: Timeline | null = null;
	readonly #ask: (id: number, query: TimelineQuery) => void;
	readonly #now: () => number;
	/** When all of the session may be asked for again. */
	#nextWhole = 0;
	readonly #threadIds = new Map<string, number>();
	readonly #lineIds = new Map<string, number>();
	#asked = 0;
	#asking: { id: number; kind: Extent; range: TimeRange; at: number } | null = null;
	/** Whether a stretch was shown, and not everything, when it was last asked. */
	#isStretch = false;
	/** The stretch for which `near` was asked. */
	#nearFor: TimeRange | null = null;
	#isWholeOld = false;
	#isNearOld = false;
	/** For what there was no answer: it is not asked for again before the session goes on. */
	#failed: { kind: Extent; range: TimeRange } | null = null;

	/**
	 * @param ask sends a question, whose answer `take` takes
	 * @param now the time, in ms of any clock
	 */
	constructor(ask: (id: number, query: TimelineQuery) => void, now = () => performance.now()) {
		this.#ask = ask;
		this.#now = now;
	}

	/** The last moment that is known of the session, in ms; null while nothing is. */
	get endMs(): number | null {
		return this.whole === null ? null : Math.max(this.whole.endMs, this.near?.endMs ?? 0);
	}

	/** Another session is shown. */
	clear(): void {
		this.threads.length = this.lines.length = 0;
		this.#threadIds.clear();
		this.#lineIds.clear();
		this.whole = this.near = this.#nearFor = this.#asking = null;
		this.#isWholeOld = this.#isNearOld = false;
		this.#failed = null;
	}

	/** The session has gone on. */
	age(): void {
		this.#isWholeOld = true;
		// What is over does not change.
		if (this.near !== null && this.near.toMs >= this.near.endMs) this.#isNearOld = true;
		this.#failed = null;
	}

	/**
	 * Asks for what is missing of the stretch that is shown; null for all of it.
	 * @param width of the chart, in CSS pixels
	 * @returns after how many ms there is something to ask for; Infinity where nothing is missing, or an answer comes
	 */
	want(shown: TimeRange | null, width: number): number {
		if (this.#asking !== null || width === 0 || this.#hasFailedFor(shown)) return Infinity;
		const bins = Math.min(MOST_BINS, Math.ceil(width * BINS_PER_PIXEL));
		const { whole } = this;
		this.#isStretch = shown !== null;
		if (whole === null || (this.#isWholeOld && this.#now() >= this.#nextWhole)) this.#send('whole', EVERYTHING, bins);
		else if (shown !== null && whole.detail === null && !this.#isNear(shown)) {
			const length = shown.toMs - shown.fromMs;
			const toMs = shown.toMs + length;
			const isToEnd = toMs >= this.endMs!;
			const range = { fromMs: Math.max(0, shown.fromMs - length), toMs: isToEnd ? this.endMs! : toMs };
			// The end may be later by now.
			const query = isToEnd ? { ...range, toMs: EVERYTHING.toMs } : range;
			this.#send('near', range, Math.min(MOST_BINS, 3 * bins), query);
		}
		return this.#asking === null && this.#isWholeOld ? Math.max(0, this.#nextWhole - this.#now()) : Infinity;
	}

	/**
	 * Takes an answer; null where there is none.
	 * @returns null where it was not awaited, `other` where it is about another session than those before
	 */
	take(id: number, timeline: Timeline | null): 'same' | 'other' | null {
		const asking = this.#asking;
		if (asking?.id !== id) return null;
		this.#asking = null;
		if (timeline === null) {
			this.#failed = asking;
			return 'same';
		}
		const isOther =
			this.threads.length > 0 &&
			!timeline.threads.some(({ pid, threadId }) => this.#threadIds.has(`${pid} ${threadId} 0`));
		if (isOther) this.clear();
		this.#translate(timeline);
		if (asking.kind === 'whole') {
			this.whole = timeline;
			this.#isWholeOld = false;
			const now = this.#now();
			const isBeside = this.#isStretch && timeline.detail === null;
			const pauseMs = Math.min(SHARE * (now - asking.at), LONGEST_PAUSE_MS);
			this.#nextWhole = now + Math.max(pauseMs, isBeside ? WHOLE_MS : 0);
			if (timeline.detail !== null) this.near = this.#nearFor = null;
		} else {
			this.near = timeline;
			this.#nearFor = asking.range;
			this.#isNearOld = false;
		}
		return isOther ? 'other' : 'same';
	}

	/**
	 * The answer that has most to show of a stretch: everything one by one, or the finest bins. One of which little is left in view, after zooming out or a jump,
	 * would be a patch in other colours and heights.
	 */
	best(shown: TimeRange): Timeline | null {
		const { near, whole } = this;
		if (near === null || whole?.detail) return whole;
		const inView = Math.min(near.toMs, shown.toMs) - Math.max(near.fromMs, shown.fromMs);
		return inView >= (shown.toMs - shown.fromMs) / 2 ? near : whole;
	}

	/** Elsewhere, or finer by far, it may be there. */
	#hasFailedFor(shown: TimeRange | null): boolean {
		const { kind, range } = this.#failed ?? {};
		if (range === undefined || kind === 'whole' || shown === null) return range !== undefined;
		const isWithin = shown.fromMs >= range.fromMs && shown.toMs <= range.toMs;
		return isWithin && range.toMs - range.fromMs <= FINER * (shown.toMs - shown.fromMs);
	}

	#isNear({ fromMs, toMs }: TimeRange): boolean {
		if (this.near === null || this.#nearFor === null || this.#isNearOld) return false;
		const { near } = this;
		const end = Math.min(toMs, this.whole?.endMs ?? toMs);
		if (fromMs < this.#nearFor.fromMs || end > Math.max(this.#nearFor.toMs, near.toMs)) return false;
		return near.detail !== null || this.#nearFor.toMs - this.#nearFor.fromMs <= FINER * (toMs - fromMs);
	}

	/** @param query the same, or to a later end */
	#send(kind: Extent, range: TimeRange, bins: number, query = range): void {
		const id = this.#asked++;
		this.#asking = { id, kind, range, at: this.#now() };
		this.#ask(id, { ...query, bins });
	}

	/** Gives threads and lines their own numbers. */
	#translate(timeline: Timeline): void {
		const threads = timeline.threads.map((thread) => this.#threadOf(thread));
		const lines = timeline.lines.map((line) => this.#lineOf(line));
		const lineAt = (index: number) => (index < 0 ? -1 : lines[index]!);
		const { density, detail, blocks, gaps } = timeline;
		for (const each of [
			...density.lanes,
			...density.loops,
			...density.flights,
			...density.queues,
			...blocks,
			...gaps,
		]) {
			each.thread = threads[each.thread]!;
		}
		for (const lane of density.lanes) lane.line = lineAt(lane.line);
		for (const flight of density.flights) flight.worst = lineAt(flight.worst);
		if (detail === null) return;
		for (const { thread } of Object.values(detail)) {
			for (let i = 0; i < thread.length; i++) thread[i] = threads[thread[i]!]!;
		}
		for (const { line } of [detail.operations, detail.runs, detail.jobs, detail.requests]) {
			for (let i = 0; i < line.length; i++) line[i] = lineAt(line[i]!);
		}
	}

	#threadOf(thread: TimelineThread): number {
		const { pid, threadId } = thread;
		// Process ids are reused.
		for (let turn = 0; ; turn++) {
			const key = `${pid} ${threadId} ${turn}`;
			const known = this.#threadIds.get(key);
			if (known === undefined) {
				this.#threadIds.set(key, this.threads.length);
				return this.threads.push(thread) - 1;
			}
			if (Math.abs(this.threads[known]!.startMs - thread.startMs) > 1) continue;
			this.threads[known] = thread;
			return known;
		}
	}

	#lineOf(line: TimelineLine): number {
		const key = `${line.line} ${line.op} ${line.class} ${line.file}`;
		let id = this.#lineIds.get(key);
		if (id === undefined) {
			id = this.lines.push(line) - 1;
			this.#lineIds.set(key, id);
		}
		this.lines[id]!.function ||= line.function;
		return id;
	}
}
