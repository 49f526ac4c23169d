// The report as text: per file, each source line that waited, and below it what it waited for. Names, sentences and
// source lines come from programs and recordings: no control character in them reaches the terminal.

import { readFileSync } from 'node:fs';
import { groupBy } from '../engine/group-by.ts';
import { shortPath } from '../host/file-paths.ts';
import { packageOf } from '../protocol/blame.ts';
import { latencyOf, rateText } from '../protocol/latency.ts';
import { asyncStacksMark } from '../protocol/line-facts.ts';
import { pendingAgeMs } from '../protocol/pending-age.ts';
import { reductionOf } from '../protocol/reduction.ts';
import type {
	Block,
	Culprit,
	Finding,
	Line,
	Loop,
	Pool,
	Process,
	Report,
	Route,
	Untraced,
} from '../protocol/report.ts';
import { type StepWords, stepTexts, typicalDuration } from '../protocol/request-text.ts';
import { BAR_LETTERS, barOf } from '../protocol/split-bar.ts';
import { threadName } from '../protocol/thread-name.ts';
import {
	BASIS_MARK,
	counted,
	formatCount,
	formatFigure,
	formatMs,
	formatRange,
	formatTotal,
} from '../protocol/units.ts';
import { visibleCode, visibleText } from '../protocol/visible-text.ts';
import type { Terminal } from './terminal.ts';

/** Width of the bar that shows the shares of a wait. */
const BAR_WIDTH = 16;

/** Children that wrote no journal are named up to this number. */
const UNTRACED_NAMED = 5;

/** Delays of the loop and collections are shown from this length on: shorter ones hardly lengthen a wait. */
const LEAST_DELAY_MS = 10;

/** The part of a start-up that is named: what took most of its time. */
const STARTED_NAMED = 3;

const FIGURES = [
	['p50Ms', 'p50'],
	['p95Ms', 'p95'],
	['maxMs', 'max'],
] as const;
const PARTS = ['wait', 'queue', 'execute', 'lag', 'run'] as const;

const ASSUMED = 'assumed: an add-on’s work counts as jobs of the thread pool, though nothing says where it runs';
const LEGEND = `p50, p95, max: how long one operation waited, how late a timer was; under way: time in which at least one waited; total: all operations added up; wait = ${BAR_LETTERS.queue} queue (no thread free) + ${BAR_LETTERS.execute} execute (on a thread) + ${BAR_LETTERS.lag} lag (done, the loop was busy), ${BAR_LETTERS.range} any of these; run = its code; ≈ estimated, 0–5 ms somewhere in between, ? unknown`;

const STEP_WORDS: StepWords = {
	stepWait: '{0} {1} at {2}',
	stepBlocked: '{0} blocked by {1}',
	stepBlockedElsewhere: '{0} blocked by other callbacks',
	stepRun: '{0} own code',
	stepUnknown: '{0} unknown',
};

const COLOURS = {
	bold: '\u001b[1m',
	dim: '\u001b[2m',
	queue: '\u001b[33m',
	execute: '\u001b[36m',
	lag: '\u001b[31m',
	warning: '\u001b[35m',
} as const;
type Colour = keyof typeof COLOURS;

/** The text of a source file that is shown. */
export interface ShownText {
	text: string;
	/** The recording lacks it: this is the file on the reader's disk, which may differ from what ran. */
	isFromDisk: boolean;
}

/** Follows the name of a file whose text the recording lacks. */
const FROM_DISK = ' (from your disk)';

/**
 * The whole report, ending in a line break; no line is longer than the terminal is wide.
 * @param textOf the text of a file of the report, null where it cannot be shown; by default, for a program that has just run here, the
 * file's own
 */
export function annotatedReport(
	report: Report,
	terminal: Terminal,
	textOf: (file: string) => ShownText | null = readNow,
): string {
	const { columns } = terminal;
	const paint = (text: string, colour: Colour) => (terminal.hasColours ? `${COLOURS[colour]}${text}\u001b[0m` : text);
	const out: string[] = ['', paint('Waitline', 'bold')];
	const paragraph = (text: string, colour?: Colour) => {
		const words = visibleText(text).split(' ');
		for (const line of wrap(words, ' ', '  ', columns)) out.push(colour ? paint(line, colour) : line);
	};
	for (const text of headsOf(report)) paragraph(text);
	if (report.untraced.length > 0) paragraph(untracedText(report.untraced));
	for (const warning of report.warnings) {
		const at = warning.line === null || warning.file === null ? '' : `${short(warning.file)}:${warning.line} `;
		paragraph(`! ${at}${warning.message}`, 'warning');
	}

	const numberWidth = String(most(report.lines, ({ line }) => line)).length;
	for (const [file, lines] of groupBy(report.lines, ({ file }) => file)) {
		const shown = textOf(file);
		const note = shown?.isFromDisk ? FROM_DISK : '';
		out.push('', paint(cut(visibleText(short(file)), columns - note.length), 'bold') + note);
		const source = linesOf(shown);
		for (const [number, entries] of groupBy(lines, ({ line }) => line)) {
			const text = shownCode(source[number - 1] ?? '').trim();
			out.push(cut(`  ${String(number).padStart(numberWidth)}  ${text}`, columns).trimEnd());
			for (const entry of entries) {
				const age = pendingAgeMs(entry, report.processes);
				out.push(...entryOf(entry, age, ' '.repeat(numberWidth + 4), columns, paint));
			}
		}
	}
	if (report.lines.length === 0) out.push('', '  No line of the program waited for anything.');
	if (report.requests.length > 0) out.push('', paint(cut('Requests, until the response is finished', columns), 'bold'));
	for (const route of report.requests) for (const text of routeTexts(route)) paragraph(text);
	const blocks = blocksOf(report);
	if (blocks.length > 0) out.push('', paint(cut('Blocks of the event loop (50 ms and more)', columns), 'bold'));
	for (const block of blocks) paragraph(block);
	if (report.findings.length > 0) out.push('', paint('Findings', 'bold'));
	for (const finding of report.findings) {
		paragraph(`${finding.code} (${finding.severity}): ${finding.message}`);
		out.push(...excerptOf(finding, textOf, columns));
		for (const { code, message } of finding.effects) paragraph(`also ${code}: ${message}`);
	}
	out.push('');
	paragraph(report.lines.some(({ assumesAddonJobs }) => assumesAddonJobs) ? `${LEGEND}; ${ASSUMED}` : LEGEND, 'dim');
	out.push('');
	return out.join('\n');
}

function linesOf(shown: ShownText | null): string[] {
	// Some files of Windows begin with a byte order mark, which is no part of the text.
	return shown?.text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/) ?? [];
}

function shownCode(line: string): string {
	return visibleCode(line).replaceAll('\t', '  ');
}

/** A finding's line with the one before and the one after it; nothing where its text cannot be shown. */
function excerptOf({ file, line }: Finding, textOf: (file: string) => ShownText | null, columns: number): string[] {
	const shown = file === null ? null : textOf(file);
	if (shown === null || file === null || line === null) return [];
	const source = linesOf(shown);
	if (line > source.length) return [];
	const width = String(line + 1).length;
	const first = Math.max(1, line - 1);
	const excerpt = source.slice(first - 1, line + 1).map((text, i) => {
		const number = first + i;
		return `    ${number === line ? '>' : ' '} ${String(number).padStart(width)}  ${shownCode(text)}`.trimEnd();
	});
	const note = shown.isFromDisk ? FROM_DISK : '';
	const head = `    ${visibleText(short(file))}:${line}${note}`;
	return [head, ...excerpt].map((text) => cut(text, columns));
}

/** What an end without an exit record means for the figures. */
const END_TEXT: Record<Exclude<Process['end'], 'exit'>, string> = {
	killed: 'killed: what it did in its last moments is unknown',
	'process-exited': 'ended with its process: what it did in its last moments is unknown',
	replaced: 'replaced by another program (process.execve): what it did in its last moments is unknown',
	running: 'running',
	terminated: 'ended by terminate() or at its memory limit: what it did in its last moments is unknown',
	truncated: 'truncated: what came afterwards is lost',
};

function headsOf({ processes, pools, loops }: Report): string[] {
	const poolOf = groupBy(pools, ({ pid }) => pid);
	const loopOf = groupBy(loops, ({ pid, threadId }) => `${pid} ${threadId}`);
	return processes.flatMap((process) => {
		const { pid, threadId } = process;
		return headOf(process, poolOf.get(pid)?.[0], loopOf.get(`${pid} ${threadId}`)?.[0]);
	});
}

function headOf(process: Process, pool: Pool | undefined, loop: Loop | undefined): string[] {
	const busy = loop === undefined ? '' : ` · loop ${Math.round(loop.utilization * 100)} % busy`;
	const end = process.end === 'exit' ? '' : ` · ${END_TEXT[process.end]}`;
	const facts = `Node ${process.node} · ${formatMs(process.durationMs)}${busy}${end}`;
	const name = threadName(process);
	const head = process.threadId === 0 ? `process ${name}` : `Worker ${name} of process ${process.pid}`;
	return [`${head} · ${facts}`, ...loopText(loop), ...stageText(process), poolText(process, pool)];
}

/** Ids help to find one of a few; for many, their number is enough. */
function untracedText(untraced: Untraced[]): string {
	const names = untraced.map(({ kind, pid, threadId }) =>
		kind === 'process' ? `process ${pid}` : `Worker ${threadId} of process ${pid}`,
	);
	const others = names.length - UNTRACED_NAMED;
	const list = others > 0 ? [...names.slice(0, UNTRACED_NAMED), `${others} more`] : names;
	return `not traced: ${list.join(', ')}`;
}

/** What the tracer left out to stay within its budget. */
function stageText(process: Process): string[] {
	const reduction = reductionOf(process);
	if (reduction === null) return [];
	const { startMs, costPercent, isSampled } = reduction;
	const what = isSampled
		? 'only a sample of operations was timed; counts stay exact'
		: 'lines were verified less often';
	return [
		`Profiling overhead reached ${costPercent.toFixed(1)} %, above the limit. Since ${formatMs(startMs)}, ${what}.`,
	];
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

function poolText(process: Process, pool: Pool | undefined): string {
	if (pool === undefined) return 'thread pool: not used';
	const threads = `thread pool: ${counted(process.poolSize, 'thread')}`;
	const { maxQueued, saturatedMs, saturatedMostMs, lookupsQueuedMs } = pool;
	if (maxQueued === 0) return `${threads}, nothing queued`;
	const facts: string[] = [];
	if (saturatedMostMs > 0) facts.push(`saturated for ${formatRange(saturatedMs, saturatedMostMs)}`);
	if (lookupsQueuedMs > 0) facts.push(`name look-ups queued for ${formatMs(lookupsQueuedMs)}`);
	return [threads, ...facts, `at most ${formatCount(maxQueued)} queued`].join(', ');
}

/** One line where it fits; otherwise the name, and then the times. @param age of the oldest pending operation, in ms */
function entryOf(entry: Line, age: number | null, margin: string, columns: number, paint: Paint): string[] {
	const since = age === null ? '' : `, the oldest for ${formatMs(age)}`;
	const pending = entry.pending > 0 ? ` (+${formatCount(entry.pending)} pending${since})` : '';
	const count = `×${formatCount(entry.count)}${pending}`;
	const sampled = entry.sampledOf > 1 ? `, 1 of ${formatCount(entry.sampledOf)} timed` : '';
	const assumed = entry.assumesAddonJobs ? ', assumed' : '';
	const what = visibleText(`${entry.op} ${count}${sampled} · ${entry.class}${assumed}`);
	const times = [...latencyTexts(entry), ...totalTexts(entry)];
	const bar = barOf(entry, BAR_WIDTH)
		.map(({ part, text }) => paint(text, part === 'range' || part === 'rest' ? 'dim' : part))
		.join('');
	const room = columns - margin.length - BAR_WIDTH - 2;
	if (what.length + 3 + times.join('  ').length <= room) {
		return [`${margin}${bar}  ${paint(what, 'dim')}   ${times.join('  ')}`.trimEnd()];
	}
	// In a narrow terminal the name is worth more than the picture.
	const head = what.length <= room ? `${bar}  ${paint(what, 'dim')}` : paint(cut(what, columns - margin.length), 'dim');
	return [margin + head, ...wrap(times, '  ', margin, columns)];
}

/** How slow one operation is, how many there are at once, and how often they come. */
function latencyTexts(entry: Line): string[] {
	const latency = latencyOf(entry);
	// One operation has no distribution: the parts of its time are enough.
	if (latency === null || entry.count === 1) return [];
	const { split, of } = latency;
	const figures = FIGURES.map(([figure, name]) => `${name} ${formatFigure(split, figure)}`);
	if (of === 'lateness') figures[0] = `late: ${figures[0]}`;
	const rate = rateText(entry);
	const texts = [...figures, `under way ${formatMs(entry.wallMs)}`, `up to ${formatCount(entry.maxInFlight)} at once`];
	return rate === '' ? texts : [...texts, rate];
}

/** Its time and the parts of it, added up over all operations. */
function totalTexts(entry: Line): string[] {
	const texts = PARTS.flatMap((part) => {
		const split = entry[part];
		return split === null ? [] : [`${part} ${formatTotal(split)}${asyncStacksMark([entry], part)}`];
	});
	if (texts.length > 0 && entry.count > 1) texts[0] = `total: ${texts[0]}`;
	return texts;
}

/** Distributes parts over as few lines as possible. */
function wrap(parts: string[], separator: string, margin: string, columns: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const part of parts) {
		const next = line === '' ? margin + part : line + separator + part;
		if (line !== '' && next.length > columns) {
			lines.push(line);
			line = cut(margin + part, columns);
		} else {
			line = cut(next, columns);
		}
	}
	return line === '' ? lines : [...lines, line];
}

/** How long a route's requests took, and what one near the median spent its time on. */
function routeTexts(route: Route): string[] {
	const { file, line, op, count, pending, duration } = route;
	const figures = FIGURES.map(([figure, name]) => `${name} ${formatFigure(duration, figure)}`);
	const rate = rateText(route);
	const unanswered = pending > 0 ? ` (+${formatCount(pending)} not answered)` : '';
	const head = [`${op} ×${formatCount(count)}${unanswered}`, ...figures, ...(rate === '' ? [] : [rate])];
	const steps = stepTexts(route, STEP_WORDS, (path, at) => `${short(path)}:${at}`);
	const typical = `one near the median took ${typicalDuration(route)}: ${steps.join(', ')}`;
	return [`${short(file)}:${line}  ${head.join('  ')}`, ...(steps.length > 0 ? [typical] : [])];
}

function blocksOf(report: Report): string[] {
	const lines = groupBy(
		report.loops.flatMap(({ blocks }) => blocks),
		whoBlocked,
	);
	return [...lines].map(([at, blocks]) => {
		const garbage = blocks.filter(({ cause }) => cause === 'gc').length;
		const cause =
			garbage === 0
				? ''
				: `, ${garbage === blocks.length ? '' : `${formatCount(garbage)} of them `}mostly garbage collection`;
		const total = sum(blocks, ({ durationMs }) => durationMs);
		const longest = most(blocks, ({ durationMs }) => durationMs);
		const times =
			blocks.length === 1
				? formatMs(total)
				: `${counted(blocks.length, 'block')}: ${formatMs(total)} in total, longest ${formatMs(longest)}`;
		return `${at}  ${times}${cause}, ${delayText(blocks)}`;
	});
}

/** `buildReport main.cjs:9, called from handler main.cjs:14`; without samples, what is known without them. */
function whoBlocked({ culprits, isStartUp, file, line }: Block): string {
	const [culprit] = culprits;
	if (isStartUp) return `start-up (main script)${startedWith(culprits)}`;
	if (culprit === undefined) {
		return file === '' ? 'code on an unknown line' : `code that ran after the wait at ${short(file)}:${line}`;
	}
	if (culprit.isLibrary) {
		const at =
			culprit.calledFrom === null ? `behind ${short(file)}:${line}` : `called from ${functionAt(culprit.calledFrom)}`;
		return `${culprit.function || 'code'} of ${packageOf(culprit.file)}, ${at}`;
	}
	const caller = culprit.calledFrom === null ? '' : `, called from ${functionAt(culprit.calledFrom)}`;
	return `${functionAt(culprit)}${caller}`;
}

/** What took the time of a start-up: libraries by the line that loads them. */
function startedWith(culprits: readonly Culprit[]): string {
	const parts = culprits.filter(({ selfMs }) => selfMs > 0).slice(0, STARTED_NAMED);
	const texts = parts.map(({ selfMs, isLibrary, calledFrom, ...at }) => {
		const library = isLibrary ? `${packageOf(at.file)} ` : '';
		const own = isLibrary && calledFrom !== null ? calledFrom : at;
		return `${library}${short(own.file)}:${own.line} ≈${formatMs(selfMs)}`;
	});
	return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}

function functionAt({ function: name, file, line }: Pick<Culprit, 'function' | 'file' | 'line'>): string {
	return `${name === '' ? '' : `${name} `}${short(file)}:${line}`;
}

/** `3 operations delayed by 120 ms in total, most affected: setTimeout at main.cjs:9` */
function delayText(blocks: Block[]): string {
	const delayed = sum(blocks, (block) => block.delayed);
	const operations = `${counted(delayed, 'operation')} delayed`;
	const byLine = groupBy(
		blocks.flatMap(({ delays }) => delays),
		({ file, line, op }) => `${op} at ${short(file)}:${line}`,
	);
	const [worst] = [...byLine]
		.map(([what, of]) => ({ what, ms: sum(of, ({ totalMs }) => totalMs) }))
		.sort((a, b) => b.ms - a.ms);
	if (worst === undefined) return operations;
	const basis = blocks.some((block) => block.basis === 'estimated') ? 'estimated' : 'measured';
	const delayedMs = sum(blocks, (block) => block.delayedMs);
	const inTotal = delayed === 1 ? '' : ' in total';
	return `${operations} by ${BASIS_MARK[basis]}${formatMs(delayedMs)}${inTotal}, most affected: ${worst.what}`;
}

/** The largest value, at least 0: there may be more items than a call can have arguments. */
function most<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((largest, item) => Math.max(largest, of(item)), 0);
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}

type Paint = (text: string, colour: Colour) => string;

function readNow(file: string): ShownText | null {
	try {
		return { text: readFileSync(file, 'utf8'), isFromDisk: false };
	} catch {
		// A source that a map names need not exist, and a file may be gone: the figures are shown without the text.
		return null;
	}
}

/** Relative to the current directory when that is shorter. */
function short(file: string): string {
	return shortPath(file, process.cwd());
}

function cut(text: string, columns: number): string {
	if (text.length <= columns) return text;
	// Neither half a character may be left at the end, nor what would have joined it to the next.
	return `${text.slice(0, columns - 1).replace(/(?:[\ud800-\udbff]|\u200c|\u200d)+$/, '')}…`;
}
