// What ran on a thread just now, and on which line: an operation that had to wait for the loop meanwhile was blocked by
// it.
import { type Estimate, type Interval, middle } from '../common/estimate.ts';
import type { Place } from '../common/place.ts';

/** Shorter runs, in µs, are not worth a name: what they block is counted without one. */
const NAMED_US = 500;
/** Short runs so close to one another, in µs, count as one: the loop did not sleep between them. */
const GAP_US = 100;
/** Runs kept: those of one turn of the loop, where they are long enough to be named. */
const KEPT = 64;

interface Run {
	readonly from: number;
	to: number;
	readonly place: Place | null;
}

/** How long the runs on a line blocked something, in µs. */
export interface Blocker extends Estimate {
	/** null for runs that are unknown, or too short to be named. */
	readonly place: Place | null;
}

/** Times in µs of the thread. */
export class RecentRuns {
	private runs: Run[] = [];

	/** A run is over. */
	add(from: number, to: number, place: Place | null): void {
		const isNamed = to - from >= NAMED_US;
		const last = this.runs.at(-1);
		if (!isNamed && last?.place === null && from - last.to < GAP_US) {
			last.to = Math.max(last.to, to);
			return;
		}
		this.runs.push({ from, to, place: isNamed ? place : null });
		if (this.runs.length >= 2 * KEPT) this.runs = this.runs.slice(-KEPT);
	}

	/** What could have run from `ready` on and ran at `time`: which runs did it have to wait for? The rest of the time nothing ran. */
	blockers(ready: Interval, time: number): Blocker[] {
		const blockers: Blocker[] = [];
		for (let i = this.runs.length - 1; i >= 0; i--) {
			const { from, to, place } = this.runs[i]!;
			if (to <= ready.low) break;
			const after = (at: number) => Math.max(0, Math.min(to, time) - Math.max(from, at));
			blockers.push({ place, low: after(ready.high), value: after(middle(ready)), high: after(ready.low) });
		}
		return blockers;
	}
}
