// What the rules about the order of awaits share: which operations count, and how long the program waited for them.
import { RESPONSE_BODY } from '../../protocol/connection-wait.ts';
import type { Line, OperationClass } from '../../protocol/report.ts';
import { groupBy } from '../common/group-by.ts';
import { most, sum } from '../common/sums.ts';
import { known, type ProcessFacts } from './rule.ts';

/** In all; less is not worth a change. */
export const LEAST_SAVED_MS = 100;
/** A line that waited less in all does not matter, and its text is not parsed for it. */
const LEAST_WAIT_MS = 10;
/** What goes on while the program does something else. Timers are pauses. */
const READ: readonly OperationClass[] = ['kernel', 'threadpool', 'io_uring'];

/** Lines with operations whose waits are known, of each source line that with the longest: the others, such as a name's look-up, are parts of it. */
export function awaitedReads(lines: readonly Line[]): Line[] {
	const reads = lines.filter(({ class: name, op, wait, sampledOf }) => {
		if (!READ.includes(name) || op === RESPONSE_BODY) return false;
		return sampledOf === 1 && wait !== null && wait.totalMs >= LEAST_WAIT_MS && known(wait) > 0;
	});
	return [...groupBy(reads, ({ file, line }) => `${line} ${file}`).values()].map((here) => {
		const longest = most(here, ({ wait }) => wait!.totalMs);
		return here.find(({ wait }) => wait!.totalMs === longest)!;
	});
}

/** How long a line waited in all, in ms, without what was surely for the event loop: that takes as long in any order. */
export function waited({ wait, lag }: Line): number {
	return known(wait) - (lag?.range?.low.totalMs ?? known(lag));
}

/** How long lines have to wait at least, in ms, where their pool runs a limited number of calls at once. */
export function laneTime(lines: readonly Line[], awaits: ProcessFacts['awaits']): number {
	const lanes = lines.map((line) => awaits(line)?.atOnce ?? Infinity);
	// Lines that ask different pools do not wait for one another.
	return lanes.every((each) => each === lanes[0]) ? sum(lines, waited) / lanes[0]! : 0;
}

/** How long the pool needs at least for the jobs of lines, in ms: it runs no more at once than it has threads. */
export function poolTime(lines: readonly Line[], poolSize: number): number {
	const jobs = lines.filter(({ class: name }) => name === 'threadpool');
	return sum(jobs, ({ execute }) => known(execute)) / poolSize;
}
