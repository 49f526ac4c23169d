// Which process started which: each traced process under the nearest traced one above it, and the processes and Workers
// that wrote no journal.
import type { End, Untraced } from '../../protocol/report.ts';
import { groupBy } from '../common/group-by.ts';
import type { Kill } from '../threads/kill.ts';
import type { EndedWorker } from '../threads/thread-children.ts';
import type { ThreadModel } from '../threads/thread-model.ts';

/**
 * How long a child may take to write its first records, in µs: a new Node takes about 50 ms, on a busy machine several
 * times that.
 */
const BIRTH_US = 2_000_000;

export class Family {
	private readonly pids = new Set<number>();
	private readonly workers = new Set<string>();
	/** Processes between two traced ones: shells and other tools. */
	private readonly between = new Set<number>();
	private readonly ancestors = new Map<number, readonly number[]>();
	/** By each process that a traced one has started: that one. */
	private readonly starters = new Map<number, number>();
	/** Main threads, by process id: several where a process was replaced. */
	private readonly mains: ReadonlyMap<number, readonly ThreadModel[]>;
	/** Workers whose end another thread has seen, and what that was. */
	private readonly endedWorkers = new Map<string, EndedWorker>();

	/** What ended processes, by their ids. */
	private readonly kills: Map<number, Kill>;

	/**
	 * @param models threads whose identity is known
	 * @param kills what ended processes, by their ids, as the host knows it: of the others those know that have started them
	 */
	constructor(models: readonly ThreadModel[], kills: ReadonlyMap<number, Kill> = new Map()) {
		this.kills = new Map([...models.flatMap(({ children }) => [...children.signals]), ...kills]);
		this.mains = groupBy(
			models.filter(({ facts }) => facts!.threadId === 0),
			({ facts }) => facts!.pid,
		);
		for (const { facts, ancestors, children } of models) {
			const { pid, threadId, parentPid } = facts!;
			this.pids.add(pid);
			this.workers.add(`${pid} ${threadId}`);
			for (const [id, ended] of children.endedWorkers) this.endedWorkers.set(`${pid} ${id}`, ended);
			for (const { kind, id } of children.all) if (kind === 'process') this.starters.set(id, pid);
			if (threadId !== 0) continue;
			this.ancestors.set(pid, ancestors.length > 0 ? ancestors : [parentPid]);
			for (const ancestor of ancestors) this.between.add(ancestor);
		}
	}

	/**
	 * The nearest traced process above this one; 0 when there is none. Only Linux says who started a shell in between: elsewhere the process
	 * that has started that one does.
	 */
	parentOf(pid: number): number {
		for (const ancestor of this.ancestors.get(pid) ?? []) {
			if (this.pids.has(ancestor)) return ancestor;
			const starter = this.starters.get(ancestor);
			if (starter !== undefined) return starter;
		}
		return 0;
	}

	/** How a thread has ended: one without a last record perhaps because of another thread or the program that came after it. */
	endOf({ facts, outcome, stopReason }: ThreadModel): End {
		const { pid, threadId, beganUs, parentPid } = facts!;
		if (outcome !== 'killed') return outcome;
		const mains = this.mains.get(pid) ?? [];
		if (threadId !== 0) {
			const end = this.endedWorkers.get(`${pid} ${threadId}`)?.end;
			// One whose tracer stopped before may have ended in any way.
			if (end !== undefined) return stopReason === null || end === 'terminated' ? end : 'worker-ended';
			return mains.some((main) => main.outcome === 'exit') ? 'process-exited' : this.killed(pid, stopReason);
		}
		// An id is used again for another process only after all others, and rarely under the same parent.
		const isReplaced = mains.some(({ facts: other }) => other!.beganUs > beganUs && other!.parentPid === parentPid);
		return isReplaced ? 'replaced' : this.killed(pid, stopReason);
	}

	/** For how long at most a Worker went on after its last record, in ms; null where its end is recorded, or not known. */
	unrecordedMsOf({ facts, outcome, stopReason, latestInHrtime }: ThreadModel): number | null {
		const ended = this.endedWorkers.get(`${facts!.pid} ${facts!.threadId}`);
		if (outcome !== 'killed' || stopReason !== null || ended === undefined) return null;
		return Math.max(0, ended.at - latestInHrtime) / 1000;
	}

	/** The signal that killed a thread's process; null where that is not known, and where it ended otherwise. */
	signalOf(model: ThreadModel): string | null {
		const kill = this.kills.get(model.facts!.pid);
		return kill === undefined || this.endOf(model) !== 'killed' ? null : kill;
	}

	/** @param stopReason why the tracer had stopped before; null where it had not */
	private killed(pid: number, stopReason: string | null): End {
		const kill = this.kills.get(pid);
		if (kill === 'stop') return 'stopped';
		if (kill === 'exit') return 'not-recorded';
		return kill === undefined && stopReason !== null ? 'not-recorded' : 'killed';
	}

	/**
	 * Children of a thread that wrote no journal.
	 * @param now up to when the journals were read, in µs of hrtime; Infinity when nothing more will come
	 */
	untracedOf({ facts, children }: ThreadModel, now: number): Untraced[] {
		const { pid } = facts!;
		const untraced: Untraced[] = [];
		for (const { kind, id, at } of children.all) {
			const isTraced = kind === 'worker' ? this.workers.has(`${pid} ${id}`) : this.pids.has(id) || this.between.has(id);
			if (isTraced || now - at < BIRTH_US) continue;
			if (kind === 'worker') untraced.push({ kind, pid, threadId: id, parentPid: pid });
			else untraced.push({ kind, pid: id, threadId: 0, parentPid: pid });
		}
		return untraced;
	}
}
