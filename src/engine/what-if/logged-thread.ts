// A thread whose model also writes down what ran and why, for a replay under other conditions.
import { START_FLAG } from '../../protocol/journal-records.ts';
import type { DebuggerLog } from '../debugger-log.ts';
import { middle } from '../estimate.ts';
import type { LogicalOperation } from '../logical-operation.ts';
import type { OpenResource } from '../open-operations.ts';
import type { ProcessPool } from '../process-pool.ts';
import type { PoolJob } from '../thread-jobs.ts';
import { ThreadModel } from '../thread-model.ts';
import { type LoggedJob, NONE, ProgramLog } from './program-log.ts';

/** The logs of a session's processes, by their pools. */
export type ProgramLogs = Map<ProcessPool, ProgramLog>;

/** What computes: everything else on a pool thread mostly waits for a disk or an answer. */
const COMPUTING: ReadonlySet<string> = new Set(['crypto', 'zlib']);

export class LoggedThread extends ThreadModel {
	private readonly logs: ProgramLogs;
	/** Where this thread is in the log; null before its first record. */
	private place: { log: ProgramLog; thread: number } | null = null;
	/** Operations that have not called back, by id. */
	private readonly openLogged = new Map<number, number>();
	private readonly logicalNumbers = new WeakMap<LogicalOperation, number>();
	private currentRun = NONE;

	constructor(debuggerOf: (pid: number) => DebuggerLog, logs: ProgramLogs) {
		super(debuggerOf);
		this.logs = logs;
		this.jobs.watch = (job) => this.endJob(job);
	}

	override start(
		op: number,
		flags: number,
		at: number,
		type: number,
		site: number,
		parent: number,
		delay: number,
	): void {
		super.start(op, flags, at, type, site, parent, delay);
		const resource = this.operations.get(op);
		if (resource === undefined || (flags & START_FLAG.restated) !== 0) return;
		this.logStart(resource, this.inProcess(at), this.jobOf(resource));
	}

	override begin(op: number, at: number, flags: number, idle: number, cpuWait: number): void {
		this.ends.ready = null;
		const { log, thread } = this.entered();
		const time = this.inProcess(at);
		this.currentRun = log.begin(thread, time);
		super.begin(op, at, flags, idle, cpuWait);
		this.answer(op, time);
	}

	override attribute(op: number): void {
		const begin = this.currentRun === NONE ? 0 : this.entered().log.runs[this.currentRun]!.begin;
		super.attribute(op);
		this.answer(op, begin);
	}

	override end(after: number, drain: number, hint: number): void {
		super.end(after, drain, hint);
		if (this.currentRun === NONE) return;
		const run = this.entered().log.runs[this.currentRun]!;
		run.end = Math.max(run.begin, this.inProcess(after + drain));
		this.currentRun = NONE;
	}

	override gap(): void {
		super.gap();
		this.currentRun = NONE;
	}

	private entered(): { log: ProgramLog; thread: number } {
		if (this.place !== null) return this.place;
		let log = this.logs.get(this.processPool);
		if (log === undefined) {
			log = new ProgramLog(this.facts?.pid ?? 0);
			this.logs.set(this.processPool, log);
		}
		this.place = { log, thread: log.addThread() };
		return this.place;
	}

	private logStart({ id }: OpenResource, at: number, job: LoggedJob | null): void {
		const { log, thread } = this.entered();
		const index = log.start(thread, this.currentRun, at, job);
		if (index !== NONE) this.openLogged.set(id, index);
	}

	/** An operation's callback runs: it ends an operation that is open. @param begin of the run, µs of the process */
	private answer(op: number, begin: number): void {
		const index = this.openLogged.get(op);
		if (index === undefined) return;
		const resource = this.operations.get(op);
		const { log } = this.entered();
		// What the loop does next anyway was over as soon as it was started.
		const isNext = resource?.type.class === 'loop';
		const ready = isNext ? 0 : this.ends.ready === null ? begin : this.originUs + middle(this.ends.ready);
		if (this.currentRun !== NONE) log.answer(this.currentRun, index, Math.min(ready, begin));
		this.openLogged.delete(op);
		// An interval starts again with each callback.
		if (resource?.logical.repeats) this.logStart(resource, begin, null);
	}

	private jobOf({ type, logical }: OpenResource): LoggedJob | null {
		if (type.pool === null) return null;
		const { log } = this.entered();
		let number = this.logicalNumbers.get(logical);
		if (number === undefined) {
			number = log.addLogical();
			this.logicalNumbers.set(logical, number);
		}
		return {
			isSlow: type.pool === 'slow',
			isCompute: COMPUTING.has(type.family) || type.isAddon,
			line: log.lineOf(logical.stats),
			logical: number,
			times: null,
			called: 0,
		};
	}

	private endJob({ id, started, began, done, called }: PoolJob): void {
		const index = this.openLogged.get(id);
		const job = index === undefined ? null : this.entered().log.operations[index]!.job;
		if (job === null) return;
		const from = this.originUs;
		const taken = began ?? { low: started, high: done.high };
		job.times = {
			began: { low: from + taken.low, high: from + taken.high },
			done: { low: from + done.low, high: from + done.high },
		};
		job.called = from + called;
	}
}
