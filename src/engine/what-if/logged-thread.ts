// A thread whose model also writes down what ran and why, for a replay under other conditions.
import { START_FLAG } from '../../protocol/journal-records.ts';
import type { DebuggerLog } from '../clocks/debugger-log.ts';
import { middle } from '../common/estimate.ts';
import type { LogicalOperation } from '../operations/logical-operation.ts';
import type { OpenResource } from '../operations/open-operations.ts';
import type { ProcessPool } from '../pool/process-pool.ts';
import type { PoolJob } from '../pool/thread-jobs.ts';
import { ThreadModel } from '../threads/thread-model.ts';
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
	/** By connection over which a client asks, the last run that has read from it or answered it. */
	private readonly served = new WeakMap<object, number>();

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
		const resource = this.operations.get(op);
		if (resource !== undefined && this.served.has(resource)) this.serve(resource, this.readyBefore(time));
	}

	override attribute(op: number): void {
		const begin = this.currentRun === NONE ? 0 : this.entered().log.runs[this.currentRun]!.begin;
		super.attribute(op);
		this.answer(op, begin);
		const connection = this.requests.connectionOf(op);
		if (connection !== null) this.serve(connection, this.readyBefore(begin));
	}

	override nested(op: number, at: number, duration: number): void {
		const connection = this.requests.connectionOf(op);
		super.nested(op, at, duration);
		if (connection !== null && this.currentRun !== NONE) this.served.set(connection, this.currentRun);
	}

	/** The current run reads what a client has sent. @param ready when it could have begun, µs of the process */
	private serve(connection: object, ready: number): void {
		if (this.currentRun === NONE) return;
		const awaited = this.served.get(connection);
		if (awaited !== undefined) this.entered().log.send(this.currentRun, awaited, ready);
		this.served.set(connection, this.currentRun);
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
		if (this.currentRun !== NONE) log.answer(this.currentRun, index, isNext ? 0 : this.readyBefore(begin));
		this.openLogged.delete(op);
		// An interval starts again with each callback.
		if (resource?.logical.repeats) this.logStart(resource, begin, null);
	}

	/** When that which the callback answers was over, at the latest when it began. */
	private readyBefore(begin: number): number {
		const { ready } = this.ends;
		return ready === null ? begin : Math.min(begin, this.originUs + middle(ready));
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
