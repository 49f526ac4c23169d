// Who has a pool's connections while others wait for one: for each line that waits, how long the commands of which lines were under way over connections
// meanwhile, and how long connections were kept after a command without another. A pool gives a connection that is given back to whoever waits, so one over
// which nothing is asked is still in somebody's hands. Which connections are of which pool is not known here: a rule goes by the libraries of the lines.
import type { LineStats } from '../lines/line-stats.ts';
import type { OpenResource } from '../operations/open-operations.ts';

/** Stretches kept per connection, the latest: a wait in which more commands were answered over each is mostly a wait for those. */
const STRETCHES_KEPT = 64;
/** The most connections kept, the latest ones. */
const CONNECTIONS_KEPT = 1000;
/** Waits kept, the latest: a connection over which nothing is answered for longer counts for these. */
const WAITS_KEPT = 1024;
/** The most lines kept that one has waited for; the first ones represent the others. */
const LINES_KEPT = 32;
/** Stretches that may be compared with each wait on average: where many wait at once for long, more are, and then only some waits are, for the others too. */
const COMPARED = 100;
/** A connection's callback that answers nothing is probably its close when it comes this long after the last answer, in µs; sooner, it brings more of that answer. */
const CLOSED_US = 1_000_000;

/** In µs of the thread. */
interface Stretch {
	/** The line whose command was under way, or had been the last one. */
	readonly stats: LineStats;
	readonly from: number;
	readonly to: number;
	readonly isUnderWay: boolean;
}

interface PoolWait {
	readonly stats: LineStats;
	/** How many waits it stands for. */
	readonly every: number;
	readonly from: number;
	readonly to: number;
}

/** For how long a line's commands had connections while another line waited, in µs, added up over waits and connections. */
export interface Held {
	/** They were under way. */
	used: number;
	/** They were answered, and nothing else was asked. */
	kept: number;
}

/** By the line that waited, those that had connections. */
export type HeldByWaiter = Map<LineStats, Map<LineStats, Held>>;

export class PoolHolders {
	private readonly held: HeldByWaiter = new Map();
	/** By the connection's resource, oldest first. */
	private readonly stretches = new Map<number, Stretch[]>();
	private waits: PoolWait[] = [];
	/** By the line that waits: how many of its next waits are passed over, and how many were since the last that was not. */
	private readonly passing = new Map<LineStats, { left: number; passed: number }>();
	/** The connection whose callback runs; 0 for a callback of anything else. */
	private connection = 0;
	private began = 0;

	/** A callback begins. */
	begin(running: OpenResource | null, time: number): void {
		this.connection = running?.type.shown === 'never' ? running.id : 0;
		this.began = time;
	}

	/** The running callback brings the answer to a command. @param sent when it was sent @param time when the callback began */
	answer(stats: LineStats, sent: number, time: number): void {
		const { connection, stretches } = this;
		if (connection === 0) return;
		const own = stretches.get(connection) ?? [];
		stretches.delete(connection);
		stretches.set(connection, own);
		if (stretches.size > CONNECTIONS_KEPT) stretches.delete(stretches.keys().next().value!);
		const last = own.at(-1);
		const from = Math.min(time, Math.max(sent, last?.to ?? 0));
		if (last !== undefined && from > last.to) this.add(own, { ...last, from: last.to, to: from, isUnderWay: false });
		this.add(own, { stats, from, to: time, isUnderWay: true });
	}

	/** The running callback is over. */
	end(): void {
		const own = this.stretches.get(this.connection);
		const last = own?.at(-1);
		if (own === undefined || last === undefined || last.to === this.began) return;
		if (this.began - last.to > CLOSED_US) this.stretches.delete(this.connection);
		else this.add(own, { ...last, from: last.to, to: this.began });
	}

	/** A line has waited for a pool's connection. @param every how many such waits it stands for, where only some are recorded */
	waited(stats: LineStats, every: number, from: number, to: number): void {
		const { left, passed } = this.passing.get(stats) ?? { left: 0, passed: 0 };
		if (left > 0) {
			this.passing.set(stats, { left: left - 1, passed: passed + every });
			return;
		}
		const wait = { stats, every: every + passed, from, to };
		this.waits.push(wait);
		if (this.waits.length === 2 * WAITS_KEPT) this.waits = this.waits.slice(WAITS_KEPT);
		let compared = this.stretches.size;
		for (const own of this.stretches.values()) {
			for (let at = own.length - 1; at >= 0 && own[at]!.to > from; at--, compared++) count(this.held, wait, own[at]!);
		}
		this.passing.set(stats, { left: Math.floor(compared / COMPARED), passed: 0 });
	}

	/**
	 * By the line that waited, those that had connections.
	 * @param until when the oldest command was sent that has no answer, or now: over which connection it was sent is not known, so nobody knows who had it since
	 */
	all(until: number): HeldByWaiter {
		const held: HeldByWaiter = new Map(
			[...this.held].map(([waiter, lines]) => [
				waiter,
				new Map([...lines].map(([stats, each]) => [stats, { ...each }])),
			]),
		);
		for (const own of this.stretches.values()) {
			const last = own.at(-1)!;
			if (last.to < until) this.countWaits(held, { ...last, from: last.to, to: until, isUnderWay: false });
		}
		return held;
	}

	/** The figures of a stretch of time begin. */
	beginPart(): void {
		this.held.clear();
		this.passing.clear();
		this.waits = [];
	}

	/** What happens over the connections is not seen from now on. */
	rest(): void {
		this.stretches.clear();
		this.passing.clear();
		this.waits = [];
		this.connection = 0;
	}

	private add(own: Stretch[], stretch: Stretch): void {
		own.push(stretch);
		if (own.length > STRETCHES_KEPT) own.shift();
		this.countWaits(this.held, stretch);
	}

	private countWaits(held: HeldByWaiter, stretch: Stretch): void {
		const { waits } = this;
		for (let at = waits.length - 1; at >= 0 && waits[at]!.to > stretch.from; at--) count(held, waits[at]!, stretch);
	}
}

function count(held: HeldByWaiter, wait: PoolWait, { stats, from, to, isUnderWay }: Stretch): void {
	const us = wait.every * (Math.min(to, wait.to) - Math.max(from, wait.from));
	if (us <= 0) return;
	const lines = held.get(wait.stats) ?? new Map<LineStats, Held>();
	held.set(wait.stats, lines);
	let each = lines.get(stats);
	if (each === undefined) {
		if (lines.size === LINES_KEPT) return;
		each = { used: 0, kept: 0 };
		lines.set(stats, each);
	}
	if (isUnderWay) each.used += us;
	else each.kept += us;
}
