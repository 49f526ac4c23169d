// The processes and Workers that one thread has started.
import type { Untraced } from '../protocol/report.ts';

/** A process or a Worker that an operation has started. */
export interface Child {
	kind: Untraced['kind'];
	/** Process or thread id. */
	id: number;
	/** When it was recorded, in µs of hrtime. */
	at: number;
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
	/** Thread ids of Workers, by the operation that started them. */
	private readonly workers = new Map<number, number>();
	/** Thread ids of Workers that have ended, the latest ones. */
	readonly endedWorkers = new Set<number>();

	/** @param op the operation that started it */
	add(op: number, child: Child): void {
		if (this.all.push(child) > KEPT) this.all.shift();
		if (child.kind === 'process') return;
		this.workers.set(op, child.id);
		this.watcher?.started(child.id, child.at);
	}

	/** An operation is over: if it started a Worker, that has ended. @param at µs of hrtime */
	end(op: number, at: number): void {
		const id = this.workers.get(op);
		if (id === undefined) return;
		this.workers.delete(op);
		this.endedWorkers.add(id);
		if (this.endedWorkers.size > KEPT) this.endedWorkers.delete(this.endedWorkers.values().next().value!);
		this.watcher?.ended(id, at);
	}
}
