// Runs a process again from its log, on a pool and on processors of another size. Each callback does what it did and starts what it started, but
// when its operation is over by then; what came from outside comes when it came, and what a client sends as long after the run that it waited for as it did.
import { Heap } from '../common/heap.ts';
import { Fifo, LibuvQueue } from './libuv-queue.ts';
import { NONE, type ProgramLog } from './program-log.ts';

/** Under which conditions a process is run again. */
export interface Conditions {
	/** Of the pool, at least 1. */
	threads: number;
	/** Processors, at least 1. */
	cores: number;
	/** What the runs need of a processor, and the jobs of one or of their disk, in µs. */
	runs: Float64Array;
	jobs: Float64Array;
}

/** When things happened in the replay, in µs of the process; NaN for what did not. */
export interface Replayed {
	/** By operation: when it was started, when a thread took it, and when its callback began. */
	started: Float64Array;
	began: Float64Array;
	called: Float64Array;
	/** When the last callback was over. */
	ended: number;
}

/** Something that continues at a given time, or once each of those that compute has received a given share of a processor. */
interface Event {
	at: number;
	/** Of two at the same time the one that was set first comes first. */
	order: number;
	kind: 'over' | 'job' | 'run' | 'sent';
	/** An operation, or a run. */
	index: number;
}

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order);

export function replay(log: ProgramLog, conditions: Conditions): Replayed {
	return new Replay(log, conditions).run();
}

class Replay {
	private readonly log: ProgramLog;
	private readonly conditions: Conditions;
	private readonly result: Replayed;
	/** What comes from outside, in order: runs without a cause, and operations started outside of any run. */
	private readonly outside: { at: number; run: number; operation: number }[] = [];
	private nextOutside = 0;
	/** By run: those that read what clients send after it. */
	private readonly readers = new Map<number, number[]>();
	private readonly timed = new Heap<Event>(isBefore);
	/** By `done`. */
	private readonly computing = new Heap<Event>(isBefore);
	private order = 0;
	private now = 0;
	/** What each that computes has got of a processor so far. */
	private done = 0;
	private computers = 0;
	private readonly queue: LibuvQueue;
	private idle: number;
	/** By thread: the runs that wait for its loop, and the operation that the one that runs starts next. */
	private readonly waiting: Fifo[];
	private readonly running: { run: number; next: number; from: number; scale: number }[];

	constructor(log: ProgramLog, conditions: Conditions) {
		this.log = log;
		this.conditions = conditions;
		const count = log.operations.length;
		const never = () => new Float64Array(count).fill(Number.NaN);
		this.result = { started: never(), began: never(), called: never(), ended: 0 };
		this.queue = new LibuvQueue(conditions.threads);
		this.idle = conditions.threads;
		const { threads } = log.sizes;
		this.waiting = Array.from({ length: threads }, () => new Fifo());
		this.running = Array.from({ length: threads }, () => ({ run: NONE, next: NONE, from: 0, scale: 1 }));
		log.runs.forEach(({ cause, awaited, begin }, run) => {
			if (cause !== NONE) return;
			if (awaited === NONE) this.outside.push({ at: begin, run, operation: NONE });
			else this.readers.set(awaited, [...(this.readers.get(awaited) ?? []), run]);
		});
		log.operations.forEach(({ run, started }, operation) => {
			if (run === NONE) this.outside.push({ at: started, run: NONE, operation });
		});
		this.outside.sort((a, b) => a.at - b.at);
		this.now = this.outside[0]?.at ?? 0;
	}

	run(): Replayed {
		while (this.step());
		return this.result;
	}

	/** What happens next; false when nothing does. */
	private step(): boolean {
		const rate = Math.min(1, this.conditions.cores / Math.max(1, this.computers));
		const outside = this.outside[this.nextOutside]?.at ?? Number.POSITIVE_INFINITY;
		const timed = this.timed.first?.at ?? Number.POSITIVE_INFINITY;
		const first = this.computing.first;
		const computed = first === undefined ? Number.POSITIVE_INFINITY : this.now + (first.at - this.done) / rate;
		const at = Math.max(this.now, Math.min(outside, timed, computed));
		if (at === Number.POSITIVE_INFINITY) return false;
		this.done += rate * (at - this.now);
		this.now = at;
		if (computed <= at) {
			this.done = first!.at;
			this.happen(this.computing.take()!);
		} else if (timed <= at) {
			this.happen(this.timed.take()!);
		} else {
			const { run, operation } = this.outside[this.nextOutside++]!;
			if (run === NONE) this.start(operation);
			else this.makeReady(run);
		}
		return true;
	}

	private happen({ kind, index }: Event): void {
		if (kind === 'over') this.callBack(index);
		else if (kind === 'job') this.endJob(index);
		else if (kind === 'sent') this.makeReady(index);
		else this.continueRun(index);
	}

	private start(operation: number): void {
		const { job, delay, calledBack } = this.log.operations[operation]!;
		this.result.started[operation] = this.now;
		if (job === null) {
			if (calledBack !== NONE) this.at(this.now + delay, 'over', operation);
		} else if (job.times !== null) {
			this.queue.push(operation, job.isSlow);
			this.dispatch();
		}
	}

	private dispatch(): void {
		while (this.idle > 0) {
			const operation = this.queue.take();
			if (operation === undefined) return;
			this.idle--;
			this.result.began[operation] = this.now;
			const needs = this.conditions.jobs[operation]!;
			if (this.log.operations[operation]!.job!.isCompute) this.compute(needs, 'job', operation);
			else this.at(this.now + needs, 'job', operation);
		}
	}

	private endJob(operation: number): void {
		const { isCompute, isSlow } = this.log.operations[operation]!.job!;
		if (isCompute) this.computers--;
		if (isSlow) this.queue.endSlow();
		this.idle++;
		this.callBack(operation);
		this.dispatch();
	}

	private callBack(operation: number): void {
		const { calledBack } = this.log.operations[operation]!;
		// Its callback was a part of another one's.
		if (calledBack === NONE) this.result.called[operation] = this.now;
		else this.makeReady(calledBack);
	}

	private makeReady(run: number): void {
		const { thread } = this.log.runs[run]!;
		this.waiting[thread]!.push(run);
		this.turn(thread);
	}

	/** A loop takes the next callback, if it is idle. */
	private turn(thread: number): void {
		const loop = this.running[thread]!;
		if (loop.run !== NONE) return;
		const run = this.waiting[thread]!.shift();
		if (run === undefined) return;
		const { begin, end, cause, firstStart } = this.log.runs[run]!;
		if (cause !== NONE) this.result.called[cause] = this.now;
		const needs = this.conditions.runs[run]!;
		loop.run = run;
		loop.next = firstStart;
		loop.from = this.done;
		loop.scale = end > begin ? needs / (end - begin) : 0;
		this.computers++;
		this.goOn(thread);
	}

	/** Until the run starts its next operation, or is over. */
	private goOn(thread: number): void {
		const { run, next, from, scale } = this.running[thread]!;
		const needs = this.conditions.runs[run]!;
		const until = next === NONE ? needs : Math.min(needs, scale * this.log.operations[next]!.offset);
		this.computing.push({ at: Math.max(this.done, from + until), order: this.order++, kind: 'run', index: run });
	}

	private continueRun(run: number): void {
		const { thread } = this.log.runs[run]!;
		const loop = this.running[thread]!;
		if (loop.next !== NONE) {
			const operation = loop.next;
			loop.next = this.log.operations[operation]!.next;
			this.start(operation);
			this.goOn(thread);
			return;
		}
		this.computers--;
		loop.run = NONE;
		this.result.ended = this.now;
		for (const reader of this.readers.get(run) ?? []) this.at(this.now + this.log.runs[reader]!.pause, 'sent', reader);
		this.turn(thread);
	}

	private at(at: number, kind: Event['kind'], index: number): void {
		this.timed.push({ at, order: this.order++, kind, index });
	}

	private compute(needs: number, kind: Event['kind'], index: number): void {
		this.computers++;
		this.computing.push({ at: this.done + needs, order: this.order++, kind, index });
	}
}
