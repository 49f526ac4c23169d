// The processes and Workers that one thread has started.
import type { End, Untraced } from '../../protocol/report.ts';
import { isKill, type Kill } from './kill.ts';

/** A process or a Worker that an operation has started. */
export interface Child {
	kind: Untraced['kind'];
	/** Process or thread id. */
	id: number;
	/** When it was recorded, in µs of hrtime. */
	at: number;
}

/**
 * What ended a Worker that wrote no last record: the program's `terminate()`, or its memory limit, which is all that is left when
 * the program did not; `worker-ended` where that was not seen.
 */
export type WorkerEnd = Extract<End, 'memory-limit' | 'terminated' | 'worker-ended'>;

/** When a Worker was over at the latest, in µs of hrtime. */
export interface EndedWorker {
	end: WorkerEnd;
	at: number;
}

/** A Worker that has not ended. */
interface Worker {
	readonly id: number;
	/** What it will turn out to be if it wrote no last record. */
	end: WorkerEnd;
}

/** Is notified of a thread's Workers, by thread id; times are µs of hrtime. */
export interface WorkerWatcher {
	started(id: number, at: number): void;
	ended(id: number, at: number): void;
}

/** The most children kept per thread: a program that starts more has shown the same thing a thousand times. */
const KEPT = 10_000;

export class ThreadChildren {
	/** The oldest first. */
	readonly all: Child[] = [];
	watcher: WorkerWatcher | null = null;
	/** By the operation that started them. */
	private readonly workers = new Map<number, Worker>();
	/** Thread ids by the same, also of those that have ended: what they had sent may come later. The latest ones. */
	private readonly started = new Map<number, number>();
	/** Workers that have ended, by thread id, the latest ones. */
	readonly endedWorkers = new Map<number, EndedWorker>();
	/** Signals that have ended processes, by their ids, the latest ones. */
	readonly signals = new Map<number, Kill>();

	/** @param op the operation that started it */
	add(op: number, child: Child): void {
		if (this.all.push(child) > KEPT) this.all.shift();
		if (child.kind === 'process') return;
		this.workers.set(op, { id: child.id, end: 'memory-limit' });
		this.started.set(op, child.id);
		if (this.started.size > KEPT) this.started.delete(this.started.keys().next().value!);
		this.watcher?.started(child.id, child.at);
	}

	/** The thread id of the Worker that an operation has started. */
	workerOf(op: number): number | undefined {
		return this.started.get(op);
	}

	/** The program ends a Worker by `terminate()`. @param op the operation that started it @returns whether that is one */
	terminate(op: number): boolean {
		const worker = this.workers.get(op);
		if (worker !== undefined) worker.end = 'terminated';
		return worker !== undefined;
	}

	/** A process that this one has started was ended by a signal. */
	kill(pid: number, signal: string): void {
		if (signal === 'stop' || signal === 'exit' || !isKill(signal)) return;
		this.signals.set(pid, signal);
		if (this.signals.size > KEPT) this.signals.delete(this.signals.keys().next().value!);
	}

	/** Some of what the thread does is not seen: it may end Workers. */
	gap(): void {
		for (const worker of this.workers.values()) if (worker.end === 'memory-limit') worker.end = 'worker-ended';
	}

	/** An operation is over: if it started a Worker, that has ended. @param at µs of hrtime */
	end(op: number, at: number): void {
		const worker = this.workers.get(op);
		if (worker === undefined) return;
		const { id, end } = worker;
		this.workers.delete(op);
		this.endedWorkers.set(id, { end, at });
		if (this.endedWorkers.size > KEPT) this.endedWorkers.delete(this.endedWorkers.keys().next().value!);
		this.watcher?.ended(id, at);
	}
}
