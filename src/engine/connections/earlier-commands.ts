// Requests over a connection that is answered in order, such as ioredis': one that is sent while an earlier one is not answered waits for that
// one's answer first. Only where the library's own queue shows which answer is whose.
import type { LineStats } from '../lines/line-stats.ts';
import type { LogicalOperation } from '../operations/logical-operation.ts';
import type { OpenResource } from '../operations/open-operations.ts';

/**
 * A wait for earlier answers counts from this multiple of the fastest answer to a request that was alone on its connection: of a shorter one, the
 * way to the server and back may be most.
 */
const LEAST_ANSWERS = 10;
/** And from this, in µs: by less, a busy machine may delay any answer. */
const LEAST_US = 10_000;
/** The most connections kept, the latest ones. */
const KEPT = 1000;

interface AnswerTimes {
	/** When the callback began that brought the latest answer, in µs of the thread. */
	called: number;
	/** When that answer arrived at the earliest, and the one of the callback before; -1 where there was none. */
	arrived: number;
	before: number;
	/** The least time from a request that was alone to its answer, in µs. */
	fastest: number;
	/** The request that was answered last. */
	last: LogicalOperation | null;
}

export class EarlierCommands {
	/** By the connection's resource. */
	private readonly connections = new Map<number, AnswerTimes>();
	/** The connection whose callback runs; 0 for a callback of anything else. */
	private connection = 0;
	/** When the latest waits of each line ended, in µs of the thread, as far as a later one may have begun before. */
	private readonly ends = new WeakMap<LineStats, number[]>();

	/** A callback begins. */
	begin(running: OpenResource | null): void {
		this.connection = running?.type.shown === 'never' ? running.id : 0;
	}

	/**
	 * The running callback, which began at `time`, answers a request over its connection.
	 * @param sent when that was sent
	 * @param arrived the earliest time at which what this callback brings can have arrived
	 * @returns until when the one before it had surely no answer, if that is what it waited for; null otherwise
	 */
	answer(sent: number, arrived: number, time: number): number | null {
		const { connection, connections } = this;
		if (connection === 0) return null;
		const answers = connections.get(connection) ?? {
			called: -1,
			arrived: -1,
			before: -1,
			fastest: Infinity,
			last: null,
		};
		connections.delete(connection);
		connections.set(connection, answers);
		if (connections.size > KEPT) connections.delete(connections.keys().next().value!);
		const isFirst = answers.called !== time;
		if (isFirst) {
			answers.before = answers.arrived;
			answers.arrived = arrived;
			answers.called = time;
		}
		const until = isFirst ? answers.before : arrived;
		if (until > sent) return until - sent >= Math.max(LEAST_US, answers.fastest * LEAST_ANSWERS) ? until : null;
		if (isFirst) answers.fastest = Math.min(answers.fastest, time - sent);
		return null;
	}

	/** The request over the running callback's connection that was answered last; null where there was none. */
	get last(): LogicalOperation | null {
		return this.connections.get(this.connection)?.last ?? null;
	}

	/** The running callback has answered that request, which `answer` was called for. */
	remember(request: LogicalOperation): void {
		const answers = this.connections.get(this.connection);
		if (answers !== undefined) answers.last = request;
	}

	/** A wait of that line is known now that it is over. @returns how many of the line's there were when it began, at least */
	atOnce(stats: LineStats, began: number, ended: number): number {
		const open = (this.ends.get(stats) ?? []).filter((end) => end > began);
		open.push(ended);
		this.ends.set(stats, open);
		return open.length;
	}
}
