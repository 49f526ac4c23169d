// Which line has last used each connection of a thread: where others wait for one and a connection is quiet, that line may still have it.
import type { LineStats } from '../lines/line-stats.ts';
import type { OpenResource } from '../operations/open-operations.ts';

/** A connection's callback that answers nothing is probably its close when it comes this long after the last answer, in µs; sooner, it brings more of that answer. */
const CLOSED_US = 1_000_000;
/** The most connections kept, the latest ones. */
const KEPT = 1000;

/** The latest answer over a connection. */
export interface ConnectionUse {
	/** The line that had asked. */
	readonly stats: LineStats;
	/** µs of the thread. */
	readonly at: number;
	/** Whether the answer has begun and not all of it has come: nobody has read the rest, or the server has not sent it. */
	readonly isUnread: boolean;
}

export class ConnectionUsers {
	/** By the connection's resource. */
	private readonly latest = new Map<number, ConnectionUse>();
	/** The connection that brings the response to a request, by the request. */
	private readonly byRequest = new Map<number, number>();
	/** The connection whose callback runs; 0 for a callback of anything else. */
	private connection = 0;

	/** A callback begins. */
	begin(running: OpenResource | null, time: number): void {
		this.connection = running?.type.shown === 'never' ? running.id : 0;
		const use = this.connection === 0 ? undefined : this.latest.get(this.connection);
		if (use !== undefined && time - use.at > CLOSED_US) this.latest.delete(this.connection);
	}

	/** The running callback is a connection's and answers what that line had asked. @param op of the request, if it has the connection until its end */
	answer(stats: LineStats, time: number, op: number | null): void {
		const { connection, latest } = this;
		if (connection === 0) return;
		latest.delete(connection);
		latest.set(connection, { stats, at: time, isUnread: op !== null });
		if (latest.size > KEPT) latest.delete(latest.keys().next().value!);
		if (op === null) return;
		this.byRequest.set(op, connection);
		if (this.byRequest.size > KEPT) this.byRequest.delete(this.byRequest.keys().next().value!);
	}

	/** All of the response to that request has come. */
	release(op: number): void {
		const connection = this.byRequest.get(op);
		if (connection === undefined) return;
		this.byRequest.delete(op);
		this.latest.delete(connection);
	}

	all(): Iterable<ConnectionUse> {
		return this.latest.values();
	}
}
