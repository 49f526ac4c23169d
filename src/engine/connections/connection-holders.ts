// Who has a connection that is answered in order while others wait for it: for each line that waits, the lines whose commands were ahead, and for how long.
import type { LineStats } from '../lines/line-stats.ts';
import type { OpenResource } from '../operations/open-operations.ts';

/** Stretches kept per connection, the latest: a wait behind more than that many commands is behind none of them in particular. */
const STRETCHES_KEPT = 64;
/** The most connections kept, the latest ones. */
const CONNECTIONS_KEPT = 1000;
/** The most lines kept that one has waited behind; the first ones represent the others. */
const LINES_KEPT = 32;

/** A command had its connection; in µs of the thread. */
interface Holding {
	readonly stats: LineStats;
	readonly from: number;
	to: number;
}

/** What one line's commands kept another line's waiting. */
export interface Ahead {
	/** µs, added up over the waits. */
	us: number;
	/** The longest time, in µs, for which one of them had the connection. */
	longest: number;
}

export class ConnectionHolders {
	/** By the line that waited, those that were ahead. */
	readonly ahead = new Map<LineStats, Map<LineStats, Ahead>>();
	/** By the connection's resource, oldest first. */
	private readonly stretches = new Map<number, Holding[]>();
	/** The connection whose callback runs; 0 for a callback of anything else. */
	private connection = 0;

	/** A callback begins. */
	begin(running: OpenResource | null): void {
		this.connection = running?.type.shown === 'never' ? running.id : 0;
	}

	/** The running callback brings the answer to a command. @param sent when it was sent @param time when the callback began */
	answer(stats: LineStats, sent: number, time: number): void {
		const { connection, stretches } = this;
		if (connection === 0) return;
		const own = stretches.get(connection) ?? [];
		this.keep(connection, own);
		own.push({ stats, from: Math.min(time, Math.max(sent, own.at(-1)?.to ?? 0)), to: time });
		if (own.length > STRETCHES_KEPT) own.shift();
	}

	/** In the running callback of a connection, its pool opens another one in its place: whoever gets that has waited for both. */
	replaceBy(connection: number): void {
		const own = this.stretches.get(this.connection);
		if (own !== undefined) this.keep(connection, [...own]);
	}

	/** A command is sent in the running callback, because all of the answer to the one before has come. */
	next(time: number): void {
		const last = this.stretches.get(this.connection)?.at(-1);
		if (last !== undefined) last.to = time;
	}

	/** A command of that line waited for those before it over the running callback's connection. */
	waited(stats: LineStats, began: number, ended: number): void {
		for (const { stats: other, from, to } of this.stretches.get(this.connection) ?? []) {
			const us = Math.min(to, ended) - Math.max(from, began);
			if (us > 0) this.add(stats, other, us, to - from);
		}
	}

	/** The figures of a stretch of time begin. */
	beginPart(): void {
		this.ahead.clear();
	}

	/** What happens over the connections is not seen from now on. */
	rest(): void {
		this.stretches.clear();
		this.connection = 0;
	}

	private keep(connection: number, own: Holding[]): void {
		const { stretches } = this;
		stretches.delete(connection);
		stretches.set(connection, own);
		if (stretches.size > CONNECTIONS_KEPT) stretches.delete(stretches.keys().next().value!);
	}

	private add(stats: LineStats, other: LineStats, us: number, length: number): void {
		const lines = this.ahead.get(stats) ?? new Map<LineStats, Ahead>();
		this.ahead.set(stats, lines);
		const known = lines.get(other);
		if (known !== undefined) {
			known.us += us;
			known.longest = Math.max(known.longest, length);
		} else if (lines.size < LINES_KEPT) lines.set(other, { us, longest: length });
	}
}
