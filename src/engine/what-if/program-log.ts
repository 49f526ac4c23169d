// What one process did, for a replay under other conditions: the runs of its callbacks, the operations that each of them started, and which
// operation's end made which callback run. Times in µs of the process.
import type { Interval } from '../common/estimate.ts';
import type { LineStats } from '../lines/line-stats.ts';

/** The most runs and the most operations kept, some 200 bytes each: enough for minutes of a busy server. */
const MOST_KEPT = 1_000_000;

/** A run or an operation that does not exist. */
export const NONE = -1;

/** What the replay has to do with an operation. */
export interface LoggedOperation {
	/** Its run, or `NONE` where it was started outside of any. */
	run: number;
	/** Since that run began; of `NONE` since the process did. */
	offset: number;
	started: number;
	/** The next operation that the same run started. */
	next: number;
	/** The thread that waits for it. */
	thread: number;
	job: LoggedJob | null;
	/** How long after its start it was over, for what is not a job of the pool. */
	delay: number;
	/** The run of its callback, where that is its own. */
	calledBack: number;
}

/** A job of the pool. */
export interface LoggedJob {
	readonly isSlow: boolean;
	/** Whether it needs a processor all the time: a hash does, a file or a name does not. */
	readonly isCompute: boolean;
	/** Its line in `ProgramLog.lines`, or `NONE`. */
	readonly line: number;
	/** Jobs with the same number are steps of one operation of the line. */
	readonly logical: number;
	/** When a thread took it, and when it was done; null while it is not. */
	times: { began: Interval; done: Interval } | null;
	/** When its callback began. */
	called: number;
}

/** The run of one callback with everything that drained after it. */
export interface LoggedRun {
	readonly thread: number;
	readonly begin: number;
	end: number;
	/** The operation whose end made it run; `NONE`: it came from outside. */
	cause: number;
	/** Of what a client sends, the run that it waited for, which answered it or read what it had sent before, and for how long after the end of that; `NONE`: it is unknown what it waited for. */
	awaited: number;
	pause: number;
	/** The first operation that it started. */
	firstStart: number;
	lastStart: number;
}

export class ProgramLog {
	readonly pid: number;
	readonly runs: LoggedRun[] = [];
	readonly operations: LoggedOperation[] = [];
	/** Lines that use the pool. */
	readonly lines: LineStats[] = [];
	/** Runs or operations that came when there was no more room. */
	left = 0;
	private readonly lineIndex = new Map<LineStats, number>();
	private logicals = 0;
	private threads = 0;

	constructor(pid: number) {
		this.pid = pid;
	}

	addThread(): number {
		return this.threads++;
	}

	/** A number for the steps of one more operation. */
	addLogical(): number {
		return this.logicals++;
	}

	/** How many threads, and operations of lines, there are. */
	get sizes(): { threads: number; logicals: number } {
		return { threads: this.threads, logicals: this.logicals };
	}

	lineOf(stats: LineStats | null): number {
		if (stats === null) return NONE;
		let index = this.lineIndex.get(stats);
		if (index === undefined) {
			index = this.lines.push(stats) - 1;
			this.lineIndex.set(stats, index);
		}
		return index;
	}

	/** A callback begins to run. @returns `NONE` when there is no more room */
	begin(thread: number, at: number): number {
		if (this.runs.length === MOST_KEPT) {
			this.left++;
			return NONE;
		}
		const run = { thread, begin: at, end: at, cause: NONE, awaited: NONE, pause: 0, firstStart: NONE, lastStart: NONE };
		return this.runs.push(run) - 1;
	}

	/** An operation is started. @returns `NONE` when there is no more room */
	start(thread: number, run: number, at: number, job: LoggedJob | null): number {
		if (this.operations.length === MOST_KEPT) {
			this.left++;
			return NONE;
		}
		const from = run === NONE ? 0 : this.runs[run]!.begin;
		const offset = Math.max(0, at - from);
		const operation = { run, offset, started: at, next: NONE, thread, job, delay: 0, calledBack: NONE };
		const index = this.operations.push(operation) - 1;
		if (run === NONE) return index;
		const starter = this.runs[run]!;
		if (starter.lastStart === NONE) starter.firstStart = index;
		else this.operations[starter.lastStart]!.next = index;
		starter.lastStart = index;
		return index;
	}

	/** A run reads, since `ready`, what a client has sent after the other run. */
	send(run: number, awaited: number, ready: number): void {
		const own = this.runs[run]!;
		if (own.cause !== NONE || awaited >= run) return;
		own.awaited = awaited;
		own.pause = Math.max(0, ready - this.runs[awaited]!.end);
	}

	/** A run is, or belongs to, the callback of an operation that was over at `ready`; of several the first counts. */
	answer(run: number, operation: number, ready: number): void {
		const own = this.runs[run]!;
		const answered = this.operations[operation]!;
		// A request that is announced in the run that reads it did not make that run.
		if (own.cause !== NONE || answered.calledBack !== NONE || answered.run === run) return;
		own.cause = operation;
		answered.calledBack = run;
		answered.delay = Math.max(0, ready - answered.started);
	}
}
