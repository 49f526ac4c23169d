// The lines as the report shows them, in the order of files and lines. A session of thousands of lines is reported four
// times a second while few of them change: lines that have not changed since the last report are the same objects
// again. In a session of many processes the lines of each are added up once, for its findings and for the session.
import type { Line, SourceLine, Started } from '../../protocol/report.ts';
import type { Place, Resolve } from '../common/place.ts';
import type { ThreadFacts } from '../journal/thread-facts.ts';
import { LineStats } from '../lines/line-stats.ts';
import { compare, compareLines, lineOf, type Share } from '../lines/report-line.ts';
import type { SharedLine } from '../lines/shared-line.ts';
import type { Pending } from '../operations/open-operations.ts';

/** A line of the report, and a position in the running script that represents it. */
export interface PlacedLine {
	readonly line: Line;
	readonly place: Place;
}

/** Something that has lines: a thread whose identity is known, or several threads added up. */
export interface LineSource {
	readonly facts: ThreadFacts | null;
	readonly lines: ReadonlyMap<string, LineStats>;
	/** Threads of its process's pool; Infinity where it is threads of several processes. */
	readonly poolSize: number;
	/** Operations under way. */
	pending(): ReadonlyMap<LineStats, Pending>;
}

/** A thread's share of a line, as the last report read it. */
interface SeenShare extends Share {
	facts: ThreadFacts;
	/** Where it was placed. */
	readonly place: Place;
	poolSize: number;
	/** null where the line should not be shown. */
	readonly group: LineGroup | null;
	/** The count of changes in its figures. */
	changes: number;
	/** The lines of its process, where these were added up before; null otherwise. */
	process: LineReport | null;
}

/** All shares of one (file, line, op, class). */
interface LineGroup {
	readonly key: string;
	readonly at: SourceLine;
	readonly op: string;
	readonly class: Line['class'];
	readonly shares: SeenShare[];
	/** null while something has changed since it was made. */
	placed: PlacedLine | null;
	/** What the shares add up to, when it was made: the only share's figures, or `total`. */
	sum: LineStats | null;
	/** Takes the sums, one report after the other: making it each time took a fifth of the time. */
	total: LineStats | null;
	/** Within the report that is being made: the number of shares so far, and of operations under way. */
	recorded: number;
	pending: number;
	/** How many of them have not called back. */
	waiting: number;
	/** The oldest of them, and when it was started in µs of hrtime. */
	oldest: Started | null;
	oldestUs: number;
}

export class LineReport {
	private resolve: Resolve | null = null;
	private shares = new WeakMap<LineStats, SeenShare>();
	private groups = new Map<string, LineGroup>();
	/** In the order of the report; new ones come last until they are sorted in. */
	private sorted: LineGroup[] = [];
	private lines: readonly PlacedLine[] = [];
	private readonly isShown: boolean;

	/** @param isShown false where rules alone read the lines: these lack what is only shown then */
	constructor(isShown = true) {
		this.isShown = isShown;
	}

	/**
	 * @param resolve the same function as in the last call only if it gives the same answers as then
	 * @param processes the lines of the sources' processes, with the same `resolve`, as they are now: of all sources of such a process
	 * @returns lines in the order of files and lines; the same array when nothing has changed
	 */
	of(
		sources: Iterable<LineSource>,
		resolve: Resolve,
		processes: ReadonlyMap<LineSource, LineReport> = NONE,
	): readonly PlacedLine[] {
		if (resolve !== this.resolve) this.forget(resolve);
		const known = this.sorted.length;
		for (const source of sources) this.addSource(source, resolve, processes.get(source) ?? null);
		if (this.sorted.length > known) this.sorted.sort(compareGroups);
		let hasChanged = false;
		let isLeft = false;
		for (const group of this.sorted) {
			hasChanged = update(group, resolve, this.isShown) || hasChanged;
			isLeft ||= group.shares.length === 0;
		}
		if (isLeft) this.dropLeft();
		if (hasChanged) this.lines = this.sorted.map(({ placed }) => placed!).filter(hasFigures);
		return this.lines;
	}

	private forget(resolve: Resolve): void {
		this.resolve = resolve;
		this.shares = new WeakMap();
		this.groups = new Map();
		this.sorted = [];
		this.lines = [];
	}

	/** What the shares of a line add up to, as of the last call of `of`. @param key see `keyOf` */
	sumOf(key: string): LineStats | null {
		return this.groups.get(key)?.sum ?? null;
	}

	private addSource(source: LineSource, resolve: Resolve, process: LineReport | null): void {
		if (source.lines.size === 0) return;
		const pending = source.pending();
		for (const stats of source.lines.values()) {
			let share = this.shares.get(stats);
			if (share?.place !== stats.place) share = this.place(source, stats, resolve);
			share.process = process;
			const { group } = share;
			if (group === null) continue;
			const index = group.recorded++;
			// A Worker's file is known only once it runs.
			if (group.shares[index] !== share || share.changes !== stats.changes || share.facts !== source.facts) {
				group.shares[index] = share;
				share.changes = stats.changes;
				share.facts = source.facts!;
				share.poolSize = source.poolSize;
				group.placed = null;
			}
			const own = pending.get(stats);
			if (own !== undefined) addPending(group, own, source.facts!);
		}
	}

	private place({ facts, poolSize }: LineSource, stats: LineStats, resolve: Resolve): SeenShare {
		const { place } = stats;
		const at = resolve(place);
		const group = at === null ? null : this.groupAt(at, stats);
		const share: SeenShare = { facts: facts!, stats, place, poolSize, group, changes: -1, process: null };
		this.shares.set(stats, share);
		return share;
	}

	private groupAt(at: SourceLine, stats: LineStats): LineGroup {
		const key = keyOf(at, stats);
		let group = this.groups.get(key);
		if (group === undefined) {
			group = {
				key,
				at,
				op: stats.op,
				class: stats.class,
				shares: [],
				placed: null,
				sum: null,
				total: null,
				recorded: 0,
				pending: 0,
				waiting: 0,
				oldest: null,
				oldestUs: Infinity,
			};
			this.groups.set(key, group);
			this.sorted.push(group);
		}
		return group;
	}

	/** Removes groups whose figures are counted elsewhere now. */
	private dropLeft(): void {
		for (const group of this.sorted) if (group.shares.length === 0) this.groups.delete(group.key);
		this.sorted = this.sorted.filter(({ shares }) => shares.length > 0);
	}
}

const NONE: ReadonlyMap<LineSource, LineReport> = new Map();

/** Updates a group's line to what the sources have recorded; returns whether anything changed. */
function update(group: LineGroup, resolve: Resolve, isShown: boolean): boolean {
	const { at, shares, recorded, pending, waiting, oldest, placed } = group;
	group.recorded = group.pending = group.waiting = 0;
	group.oldest = null;
	group.oldestUs = Infinity;
	if (placed !== null && shares.length === recorded && hasPending(placed.line, pending, oldest)) return false;
	shares.length = recorded;
	if (recorded > 0) {
		group.sum = addedUp(group);
		const line = lineOf(at, shares, group.sum, { pending, waiting, oldest }, resolve, isShown);
		group.placed = { line, place: shares[0]!.stats.place };
	}
	return true;
}

/** What a group's shares add up to: those of a process as they were added up for that. */
function addedUp(group: LineGroup): LineStats {
	const { key, shares } = group;
	const { stats: first, facts } = shares[0]!;
	if (shares.length === 1) return first;
	group.total ??= new LineStats(first.place, first.op, first.class);
	const { total } = group;
	total.emptySum();
	const added = new Set<LineReport>();
	for (const { stats, facts: own, process } of shares) {
		const sum = process?.sumOf(key) ?? null;
		if (process === null || sum === null) total.addFigures(stats);
		else if (!added.has(process)) {
			added.add(process);
			total.addFigures(sum);
		}
		// In its sum the order of all threads counts.
		const offset = own.beganUs - facts.beganUs;
		const { shared } = stats;
		if (shared === null || !isWithin(shared, shares)) total.own.wall.addAll(stats.own.wall, offset);
		else if (shared.members[0] === stats.own) {
			total.own.saw(shared.underWay.most);
			total.own.wall.addAll(shared.underWay.wall, offset);
		}
	}
	return total;
}

/** Whether all positions of that line of a script are one line of the report. */
function isWithin({ members }: SharedLine, shares: readonly Share[]): boolean {
	return members.length <= shares.length && members.every((member) => shares.some(({ stats }) => stats.own === member));
}

function addPending(
	group: LineGroup,
	{ count, waiting, since }: Pending,
	{ pid, threadId, beganUs }: ThreadFacts,
): void {
	group.pending += count;
	group.waiting += waiting;
	if (beganUs + since >= group.oldestUs) return;
	group.oldestUs = beganUs + since;
	group.oldest = { pid, threadId, startMs: since / 1000 };
}

/** Whether a line says that. */
function hasPending({ pending, oldestPending }: Line, count: number, oldest: Started | null): boolean {
	return pending === count && oldestPending?.startMs === oldest?.startMs && oldestPending?.pid === oldest?.pid;
}

function keyOf(at: SourceLine, { op, class: name }: { op: string; class: string }): string {
	return `${at.line} ${op} ${name} ${at.file}`;
}

function hasFigures({ line }: PlacedLine): boolean {
	return line.count > 0 || line.pending > 0;
}

function compareGroups(a: LineGroup, b: LineGroup): number {
	return compareLines(a.at, b.at) || compare(a.op, b.op) || compare(a.class, b.class);
}
