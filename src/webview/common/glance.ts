// What the panel's head says of a session at a glance: how long it is, how busy its busiest loop and its fullest pool were, and what profiling cost.
import { loopBusyLongest } from '../../protocol/loop-busy-longest.ts';
import { worstReduction } from '../../protocol/reduction.ts';
import type { Pool, Report } from '../../protocol/report.ts';
import { threadName } from '../../protocol/thread-name.ts';
import { formatMs } from '../../protocol/units.ts';
import { fill, type ViewState, type ViewStrings } from '../../protocol/webview.ts';

type Words = Pick<
	ViewStrings,
	| 'durationHelp'
	| 'loop'
	| 'loopBusyHelp'
	| 'poolBusy'
	| 'poolBusyHelp'
	| 'overheadWithin'
	| 'overheadReached'
	| 'overheadHelp'
	| 'unknown'
>;

/** A figure with the sentence that explains it. */
export interface Glance {
	text: string;
	title: string;
	/** What it was over time is shown beside it. */
	over?: 'loop' | 'pool';
}

export function glanceOf(
	{ report, date, session }: Pick<ViewState, 'report' | 'date' | 'session'>,
	words: Words,
): Glance[] {
	const parts = [lengthOf(report, words), loopOf(report, words), poolOf(report, words), overheadOf(report, words)];
	const glance = parts.filter((part) => part !== null);
	// What fits in a narrow panel comes first.
	return session === 'recording' ? [...glance, ...originOf(report, date)] : glance;
}

/** Of a recording: when it was made, and of what. */
function originOf({ processes: [first] }: Report, date: string): Glance[] {
	const entry = first?.entry ?? '';
	const command = entry === '' ? '' : `node ${/[^\\/]*$/.exec(entry)![0]}`;
	return [date, command]
		.filter((text) => text !== '')
		.map((text) => ({ text, title: text === command ? entry : date }));
}

function lengthOf({ processes }: Report, words: Words): Glance | null {
	if (processes.length === 0) return null;
	return { text: formatMs(Math.max(...processes.map(({ durationMs }) => durationMs))), title: words.durationHelp };
}

function loopOf({ loops, processes }: Report, words: Words): Glance | null {
	const busiest = loopBusyLongest(loops, processes);
	if (busiest === undefined) return null;
	const thread = processes.find(({ pid, threadId }) => pid === busiest.pid && threadId === busiest.threadId);
	const title = fill(words.loopBusyHelp, thread === undefined ? words.unknown : threadName(thread));
	return { text: fill(words.loop, Math.round(busiest.utilization * 100)), title, over: 'loop' };
}

function poolOf({ pools, processes }: Report, words: Words): Glance | null {
	const shares = pools.map((pool) => ({ pool, ...occupancy(pool, processes) }));
	const [fullest] = shares.sort((a, b) => b.high - a.high);
	if (fullest === undefined || fullest.high === 0) return null;
	const [low, high] = [fullest.low, fullest.high].map((share) => Math.round(100 * share));
	const share = low === high ? `${high} %` : `${low}–${high} %`;
	const { size, pid } = fullest.pool;
	return { text: fill(words.poolBusy, share), title: fill(words.poolBusyHelp, size, pid), over: 'pool' };
}

/** Which share of its threads' time finished jobs took, 0 to 1: lower and upper limit. */
function occupancy({ pid, size, occupiedMs }: Pool, processes: Report['processes']): { low: number; high: number } {
	const process = processes.find((each) => each.pid === pid && each.threadId === 0);
	const whole = size * (process?.recordedMs ?? 0);
	const share = (ms: number) => (whole > 0 ? Math.min(1, ms / whole) : 0);
	return { low: share(occupiedMs.low), high: share(occupiedMs.high) };
}

function overheadOf({ processes }: Report, words: Words): Glance | null {
	if (processes.length === 0) return null;
	const reduction = worstReduction(processes);
	const text =
		reduction === null ? words.overheadWithin : fill(words.overheadReached, reduction.costPercent.toFixed(1));
	return { text, title: words.overheadHelp };
}
