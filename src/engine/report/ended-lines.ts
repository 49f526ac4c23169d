// The lines of threads that have ended, added up: a program may start thousands of short-lived threads, and what is
// kept of them must grow with its lines and not with its threads. Single operations are kept of the first threads only.

import type { ThreadFacts } from '../journal/thread-facts.ts';
import { LineStats } from '../lines/line-stats.ts';
import { addPending, type Pending } from '../operations/open-operations.ts';
import type { ThreadModel } from '../threads/thread-model.ts';

/** Threads whose lines are kept as they are: more than most programs have in all. */
const WHOLE = 32;

export class EndedLines {
	/** Those of the first thread in it. */
	facts: ThreadFacts | null = null;
	readonly lines = new Map<string, LineStats>();
	/** They may be of many processes, each with a pool of its own. */
	readonly poolSize = Infinity;
	readonly scripts = new Set<string>();
	private readonly open = new Map<LineStats, Pending>();
	private whole = 0;

	/** Adds a thread whose journal is complete. */
	add(model: ThreadModel): void {
		model.close();
		if (this.whole < WHOLE) {
			this.whole++;
			return;
		}
		this.facts ??= model.facts;
		const pending = model.pending();
		for (const [key, stats] of model.lines) {
			let sum = this.lines.get(key);
			if (sum === undefined) {
				sum = new LineStats(stats.place, stats.op, stats.class);
				this.lines.set(key, sum);
			}
			const offset = model.facts!.beganUs - this.facts!.beganUs;
			sum.addAll(stats, offset);
			const own = pending.get(stats);
			if (own !== undefined) addPending(this.open, sum, { ...own, since: own.since + offset });
		}
		for (const script of model.scripts) this.scripts.add(script);
		model.forgetLines();
	}

	/** Operations that never called back, per line. */
	pending(): Map<LineStats, Pending> {
		return this.open;
	}
}
