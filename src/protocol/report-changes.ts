// A report on its way from the thread that makes it. A report of thousands of lines is sent four times a second while
// few of them change: lines and blocks that were sent before go as a number, and stay the same objects on the other
// side.
import type { Block, Line, Report } from './report.ts';

/** A list of which the other side already has some entries. */
interface SentList<T> {
	/** An entry's number, in the order of the list. */
	ids: number[];
	/** Entries that are sent for the first time, in the order of their numbers. */
	fresh: T[];
}

/** What is sent between the threads. */
export interface ReportChanges {
	/** Without lines and blocks. */
	rest: Report;
	lines: SentList<Line>;
	/** The blocks of all loops. */
	blocks: SentList<Block>;
	/** How many of them belong to each loop. */
	blockCounts: number[];
}

/** The side that makes reports. Objects that were sent must not be changed. */
export class ReportSender {
	private readonly lines = new ListSender<Line>();
	private readonly blocks = new ListSender<Block>();

	/** What the other side needs to know of this report; pass all changes on, in order. */
	changesOf(report: Report): ReportChanges {
		return {
			rest: { ...report, lines: [], loops: report.loops.map((loop) => ({ ...loop, blocks: [] })) },
			lines: this.lines.send(report.lines),
			blocks: this.blocks.send(report.loops.flatMap(({ blocks }) => blocks)),
			blockCounts: report.loops.map(({ blocks }) => blocks.length),
		};
	}
}

/** The side that reads them. */
export class ReportReceiver {
	private readonly lines = new ListReceiver<Line>();
	private readonly blocks = new ListReceiver<Block>();

	/** The report that was sent. */
	reportOf({ rest, lines, blocks, blockCounts }: ReportChanges): Report {
		const all = this.blocks.receive(blocks);
		let at = 0;
		return {
			...rest,
			lines: this.lines.receive(lines),
			loops: rest.loops.map((loop, i) => {
				const from = at;
				at += blockCounts[i]!;
				return { ...loop, blocks: all.slice(from, at) };
			}),
		};
	}
}

class ListSender<T extends object> {
	/** The entries of the previous list: no more, since the other side forgets the rest as well. */
	private known = new Map<T, number>();
	private next = 0;

	send(list: readonly T[]): SentList<T> {
		const known = new Map<T, number>();
		const fresh: T[] = [];
		const ids = list.map((entry) => {
			let id = this.known.get(entry);
			if (id === undefined) {
				id = this.next++;
				fresh.push(entry);
			}
			known.set(entry, id);
			return id;
		});
		this.known = known;
		return { ids, fresh };
	}
}

class ListReceiver<T> {
	private known = new Map<number, T>();

	receive({ ids, fresh }: SentList<T>): T[] {
		const known = new Map<number, T>();
		let next = 0;
		const list = ids.map((id) => {
			const entry = this.known.get(id) ?? fresh[next++]!;
			known.set(id, entry);
			return entry;
		});
		this.known = known;
		return list;
	}
}
