// The report's first lines in a terminal: what was profiled, how it ended, and what its loops and pools did.
import { groupBy } from '../engine/common/group-by.ts';
import { packageOf } from '../protocol/blame.ts';
import { reductionOf } from '../protocol/reduction.ts';
import type { Loop, Pool, Process, Report, Untraced } from '../protocol/report.ts';
import { threadName } from '../protocol/thread-name.ts';
import { BASIS_MARK, counted, formatCount, formatMs, formatRange } from '../protocol/units.ts';

/** Children that wrote no journal are named up to this number. */
const UNTRACED_NAMED = 5;

/** Delays of the loop and collections are shown from this length on: shorter ones hardly lengthen a wait. */
const LEAST_DELAY_MS = 10;

/** Pools whose Workers wait for the next task in Atomics.wait, so that their loops do not turn between tasks, unless that variable is set. */
const WAIT_IN_ATOMICS = new Set(['piscina', 'tinypool']);
/** A thread whose loop turns writes more often than that, in ms. */
const LONG_SILENCE_MS = 500;

/** What an end without an exit record means for the figures. */
const END_TEXT: Record<Exclude<Process['end'], 'exit'>, string> = {
	killed: 'killed: what it did in its last moments is unknown',
	'memory-limit':
		'ended at its memory limit (resourceLimits; nobody called terminate()): what it did in its last moments is unknown',
	'not-recorded': 'its end was not recorded',
	'process-exited':
		'ended with its process, by process.exit() or by an error: what it did in its last moments is unknown',
	replaced: 'replaced by another program (process.execve): what it did in its last moments is unknown',
	running: 'running',
	stopped: 'stopped by you: what it did in its last moments is unknown',
	terminated: 'ended by terminate(): what it did in its last moments is unknown',
	truncated: 'truncated: what came afterwards is lost',
	'worker-ended': 'ended by terminate() or at its memory limit: what it did in its last moments is unknown',
};

/** Of each thread its paragraphs, the one first whose loop was busy for the longest time. */
export function headsOf({ processes, pools, loops, lines }: Report): string[][] {
	const isPoolKnown = lines.every((line) => line.class !== 'threadpool' || line.queue?.basis !== 'unknown');
	const poolOf = groupBy(pools, ({ pid }) => pid);
	const loopOf = groupBy(loops, ({ pid, threadId }) => `${pid} ${threadId}`);
	const loopAt = ({ pid, threadId }: Process) => loopOf.get(`${pid} ${threadId}`)?.[0];
	const busyMs = (process: Process) => process.durationMs * (loopAt(process)?.utilization ?? 0);
	return [...processes]
		.sort((a, b) => busyMs(b) - busyMs(a))
		.map((process) =>
			headOf(process, poolOf.get(process.pid)?.[0] ?? (isPoolKnown ? 'unused' : 'unknown'), loopAt(process)),
		);
}

function headOf(process: Process, pool: Pool | 'unused' | 'unknown', loop: Loop | undefined): string[] {
	// What it did after its last record is unknown, so this says only how busy it was until then.
	const isCut = process.end !== 'exit' && process.end !== 'running';
	const busy =
		loop === undefined ? '' : ` · loop ${Math.round(loop.utilization * 100)} % busy${isCut ? ' until then' : ''}`;
	const end = process.end === 'exit' ? '' : ` · ${endText(process, process.end)}`;
	const facts = `Node ${process.node} · ${formatMs(process.durationMs)}${isCut ? ' to the last record' : ''}${busy}${end}`;
	const name = threadName(process);
	const head = process.threadId === 0 ? `process ${name}` : `Worker ${name} of process ${process.pid}`;
	// Workers use the pool of their process.
	const poolTexts = process.threadId === 0 ? [poolText(process, pool)] : [];
	return [`${head} · ${facts}`, ...loopText(loop), ...stageText(process), ...poolTexts];
}

function endText({ entry, signal, unrecordedMs }: Process, end: keyof typeof END_TEXT): string {
	const text = END_TEXT[end].replace(/^killed/, `killed${signal === null ? '' : ` by ${signal}`}`);
	// Whoever computes without an end, or waits in Atomics.wait, writes nothing: that may be most of a Worker's life.
	if (unrecordedMs === null || unrecordedMs < LONG_SILENCE_MS) return text;
	const hint = WAIT_IN_ATOMICS.has(packageOf(entry)) ? ' (run with PISCINA_DISABLE_ATOMICS=1 to see its tasks)' : '';
	return text.replace('moments', formatMs(unrecordedMs)) + hint;
}

/** Ids help to find one of a few; for many, their number is enough. @param isCut whether a part of the recording is missing */
export function untracedText(untraced: Untraced[], isCut: boolean): string {
	const names = untraced.map(({ kind, pid, threadId }) =>
		kind === 'process' ? `process ${pid}` : `Worker ${threadId} of process ${pid}`,
	);
	const others = names.length - UNTRACED_NAMED;
	const list = others > 0 ? [...names.slice(0, UNTRACED_NAMED), `${others} more`] : names;
	const reason = isCut
		? 'or what they recorded is missing'
		: 'no supported Node, or started without the environment that Waitline needs';
	return `not traced: ${list.join(', ')} (${reason})`;
}

/** What the tracer left out to stay within its budget. */
function stageText(process: Process): string[] {
	const reduction = reductionOf(process);
	if (reduction === null) return [];
	const { startMs, costPercent, isSampled, recordedPercent } = reduction;
	const reached = `Profiling overhead reached ${costPercent.toFixed(1)} %, above the limit`;
	if (recordedPercent !== null)
		return [`${reached}: sampled ${recordedPercent} % of the time; counts (${BASIS_MARK.estimated}) are extrapolated.`];
	const what = isSampled
		? 'only a sample of operations was timed; counts stay exact'
		: 'lines were verified less often';
	return [`${reached}. Since ${formatMs(startMs)}, ${what}.`];
}

/** The facts of the loop that are worth a line. */
function loopText(loop: Loop | undefined): string[] {
	const texts = [];
	if (loop?.delay && loop.delay.maxMs >= LEAST_DELAY_MS) {
		const { p50Ms, p99Ms, maxMs } = loop.delay;
		texts.push(`event loop delay: ${formatMs(p50Ms)} (p50), ${formatMs(p99Ms)} (p99), ${formatMs(maxMs)} at most`);
	}
	if (loop?.gc && loop.gc.maxMs >= LEAST_DELAY_MS) {
		const { count, totalMs, maxMs } = loop.gc;
		texts.push(`${counted(count, 'garbage collection')}: ${formatMs(totalMs)} in total, longest ${formatMs(maxMs)}`);
	}
	return texts;
}

function poolText(process: Process, pool: Pool | 'unused' | 'unknown'): string {
	if (pool === 'unused') return 'thread pool: not used';
	if (pool === 'unknown') return 'thread pool: how much it was used is not known';
	const threads = `thread pool: ${counted(process.poolSize, 'thread')}`;
	const { maxQueued, saturatedMs, saturatedMostMs, lookupsQueuedMs } = pool;
	if (maxQueued === 0) return `${threads}, nothing queued`;
	const facts: string[] = [];
	if (saturatedMostMs > 0) facts.push(`saturated for ${formatRange(saturatedMs, saturatedMostMs)}`);
	if (lookupsQueuedMs > 0) facts.push(`name lookups queued for ${formatMs(lookupsQueuedMs)}`);
	return [threads, ...facts, `at most ${formatCount(maxQueued)} queued`].join(', ');
}
