// A callback whose text calls a `…Sync` function of Node, and whose runs take long. No hook shows such calls, so the
// time is the callback's, measured, and the call is in its text: the finding claims no more than these two. A call that runs
// once for many operations is reported only where one callback took most of the time: it cannot be a part of what each of them took.
import { computedParts } from '../../protocol/blame.ts';
import type { Line, Split } from '../../protocol/report.ts';
import { counted, formatCount, formatMs } from '../../protocol/units.ts';
import { largest, sum } from '../common/sums.ts';
import { named, place, type Rule, type SyncCall, type ThreadBlock } from './rule.ts';

/** One run this long is a block. */
const LONG_RUN_MS = 50;
/** Shorter runs count when they took this much in all, ... */
const LEAST_MS = 100;
/** ... and this much of the process' time. */
const LEAST_SHARE = 0.1;
/** Where other code takes this share of the callbacks' time, the calls are not why they take long. */
const MOSTLY = 0.9;
/** Of many calls, the first few say enough. */
const MOST_NAMED = 3;

export const syncInCallback: Rule = ({ lines, blocks, durationMs, syncCalls }) =>
	lines.flatMap((line) => {
		const { run, count } = line;
		if (run === null) return [];
		const isHot = run.totalMs >= LEAST_MS && run.totalMs >= LEAST_SHARE * durationMs;
		if (run.maxMs < LONG_RUN_MS && !isHot) return [];
		const calls = syncCalls(line).filter(
			(call) =>
				(!call.isBehindMany || isMostlyOneRun(run)) &&
				!lines.some((other) => isBetween(other, line, call) && syncCalls(other).some((each) => isSame(each, call))),
		);
		if (calls.length === 0 || isElsewhere(line, run.totalMs, calls, blocks)) return [];
		// The callback's time is that of all its calls together.
		const most = largest(calls, (call) => sampledMs(call, blocks)) ?? calls[0]!;
		const inOrder = [most, ...calls.filter((call) => call !== most)];
		return [
			{
				code: 'sync-in-callback' as const,
				file: most.file,
				line: most.line,
				op: most.name,
				evidence: { callbacks: count, runMs: run.totalMs, longestRunMs: run.maxMs },
				basis: 'measured' as const,
				victim: null,
				cause: null,
				message: `The code behind ${named(line)} calls ${listed(inOrder)}. ${ranText(run, count)}; nothing else can run while they do.`,
				lostMs: calls.every(({ isBehindMany }) => isBehindMany) ? run.maxMs : run.totalMs,
				savesMs: null,
			},
		];
	});

/** One operation may have many callbacks, such as those for a stream's data: how long each of them ran is not known. */
function ranText({ totalMs, maxMs }: Split, count: number): string {
	const all = `Its callbacks ran for ${formatMs(totalMs)}`;
	return count === 1 ? all : `${all} over ${counted(count, 'operation')} (at most ${formatMs(maxMs)} for one)`;
}

/** Whether another line stands between a line and a call and has as many operations at least: then one of those comes before each call. */
function isBetween(other: Line, { file, line, count }: Line, call: SyncCall): boolean {
	if (other.file !== file || call.file !== file || other.line <= line || other.line > call.line) return false;
	return other.count >= (call.isBehindMany ? 1 : count);
}

function isSame(a: SyncCall, b: SyncCall): boolean {
	return a.name === b.name && a.line === b.line && a.file === b.file;
}

/** For how long blocks were found in that call, in ms; 0 without stack samples. */
function sampledMs({ name, file, line }: SyncCall, blocks: readonly ThreadBlock[]): number {
	const inCall = blocks
		.flatMap(({ culprits }) => culprits)
		.filter((culprit) => culprit.file === file)
		.flatMap(computedParts)
		.filter((part) => part.line === line && part.api === name.split('.').at(-1));
	return sum(inCall, ({ selfMs }) => selfMs);
}

/** Whether samples show that a line's callbacks computed elsewhere for nearly all of their time. */
function isElsewhere(line: Line, runMs: number, calls: readonly SyncCall[], blocks: readonly ThreadBlock[]): boolean {
	const own = blocks.filter((block) => block.file === line.file && block.line === line.line);
	const inCalls = sum(calls, (call) => sampledMs(call, own));
	const shown = sum(own, ({ culprits }) => sum(culprits, ({ selfMs }) => selfMs));
	return shown - inCalls >= MOSTLY * runMs;
}

/** `fs.statSync at main.js:8, fs.rmSync at main.js:9 and 2 more`. */
function listed(calls: readonly SyncCall[]): string {
	const texts = calls.slice(0, MOST_NAMED).map((call) => `${call.name} at ${place(call)}`);
	const left = calls.length - texts.length;
	if (left > 0) texts.push(`${formatCount(left)} more`);
	return texts.length === 1 ? texts[0]! : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)!}`;
}

function isMostlyOneRun({ totalMs, maxMs }: Split): boolean {
	return maxMs >= LONG_RUN_MS && maxMs >= totalMs / 2;
}
