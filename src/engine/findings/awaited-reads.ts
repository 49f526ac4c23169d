// What the rules about the order of awaits share: which operations count, and how long the program waited for them.
import type { Line, OperationClass } from '../../protocol/report.ts';
import { groupBy } from '../group-by.ts';
import { known, most, sum } from './rule.ts';

/** In all; less is not worth a change. */
export const LEAST_SAVED_MS = 100;
/** A line that waited less in all does not matter, and its text is not parsed for it. */
const LEAST_WAIT_MS = 10;
/** What goes on while the program does something else. Timers are pauses. */
const READ: readonly OperationClass[] = ['kernel', 'threadpool', 'io_uring'];

/** Lines with operations whose waits are known, of each source line that with the longest: the others, such as a name's look-up, are parts of it. */
export function awaitedReads(lines: readonly Line[]): Line[] {
	const reads = lines.filter(({ class: name, wait, sampledOf }) => {
		return READ.includes(name) && sampledOf === 1 && wait !== null && wait.totalMs >= LEAST_WAIT_MS && known(wait) > 0;
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

/** How long the pool needs at least for the jobs of lines, in ms: it runs no more at once than it has threads. */
export function poolTime(lines: readonly Line[], poolSize: number): number {
	const jobs = lines.filter(({ class: name }) => name === 'threadpool');
	return sum(jobs, ({ execute }) => known(execute)) / poolSize;
}
