// A callback whose text calls a `…Sync` function of Node, and whose runs take long. No hook shows such calls, so the
// time is the callback's, measured, and the call is in its text: the finding claims no more than these two. A call that runs
// once for many operations is reported only where one callback took most of the time: it cannot be a part of what each of them took.
import type { Split } from '../../protocol/report.ts';
import { counted, formatMs } from '../../protocol/units.ts';
import { named, place, type Rule } from './rule.ts';

/** One run this long is a block. */
const LONG_RUN_MS = 50;
/** Shorter runs count when they took this much in all, ... */
const LEAST_MS = 100;
/** ... and this much of the process' time. */
const LEAST_SHARE = 0.1;

export const syncInCallback: Rule = ({ lines, durationMs, syncCalls }) =>
	lines.flatMap((line) => {
		const { run, count } = line;
		if (run === null) return [];
		const isHot = run.totalMs >= LEAST_MS && run.totalMs >= LEAST_SHARE * durationMs;
		if (run.maxMs < LONG_RUN_MS && !isHot) return [];
		const calls = syncCalls(line).filter(({ isBehindMany }) => !isBehindMany || isMostlyOneRun(run));
		return calls.map((call) => ({
			code: 'sync-in-callback' as const,
			file: call.file,
			line: call.line,
			op: call.name,
			evidence: { callbacks: count, runMs: run.totalMs, longestRunMs: run.maxMs },
			basis: 'measured' as const,
			victim: null,
			cause: null,
			message: `The code behind ${named(line)} calls ${call.name} at ${place(call)}. It ran for ${formatMs(run.totalMs)} in ${counted(count, 'callback')} (longest ${formatMs(run.maxMs)}), and nothing else could run meanwhile.`,
			lostMs: call.isBehindMany ? run.maxMs : run.totalMs,
			savesMs: null,
		}));
	});

function isMostlyOneRun({ totalMs, maxMs }: Split): boolean {
	return maxMs >= LONG_RUN_MS && maxMs >= totalMs / 2;
}
