// The report as text: what was found, then per file each source line that waited, and below it what it waited for. Names,
// sentences and source lines come from programs and recordings: no control character in them reaches the terminal.
import { groupBy } from '../engine/common/group-by.ts';
import { most, sum } from '../engine/common/sums.ts';
import { packageOf } from '../protocol/blame.ts';
import { compareWall } from '../protocol/latency.ts';
import { pendingAgeMs } from '../protocol/pending-age.ts';
import type { Line, Report } from '../protocol/report.ts';
import { BAR_LETTERS } from '../protocol/split-bar.ts';
import { counted, formatMs } from '../protocol/units.ts';
import { visibleText } from '../protocol/visible-text.ts';
import { blocksOf } from './block-texts.ts';
import { findingsTexts } from './finding-texts.ts';
import { headsOf, untracedText } from './heads.ts';
import { cut, fitting, type Paint, painter, paragraph, short } from './layout.ts';
import { entryOf } from './line-entries.ts';
import { routeTexts, unansweredText } from './route-texts.ts';
import { FROM_DISK, linesOf, readNow, shownCode, type TextOf } from './shown-text.ts';
import type { Terminal } from './terminal.ts';

/** Lines of the whole report: what one looks through without scrolling for long. The rest of a long one is counted. */
const MOST_LINES = 60;
/** The lines that each part gets where not all of them fit; the source lines get what is left, and a few in any case. */
const ROOM = { heads: 6, warnings: 3, findings: 18, requests: 4, blocks: 4, leastSource: 16 };
type LinesPerPart = typeof ROOM;
const ALL: LinesPerPart = { heads: 1e9, warnings: 1e9, findings: 1e9, requests: 1e9, blocks: 1e9, leastSource: 1e9 };
/** What a report that is shorter elsewhere has room for. */
const ROOMS: readonly LinesPerPart[] = [
	ALL,
	{ ...ROOM, findings: 30, requests: 8, blocks: 8 },
	{ ...ROOM, findings: 24 },
];

/** Different operations of one source line, those that were under way for the longest time. */
const ENTRIES_SHOWN = 2;

const ASSUMED = 'assumed: an add-on’s work counts as jobs of the thread pool, though where it runs cannot be confirmed';
const LEGEND = `p50, p95, max: how long one operation waited, how late a timer was; under way: time in which at least one waited; total: all operations added up; wait = ${BAR_LETTERS.queue} queue (no thread free) + ${BAR_LETTERS.execute} execute (on a thread) + ${BAR_LETTERS.lag} lag (done, the loop was busy), ${BAR_LETTERS.range} any of these, ${BAR_LETTERS.rest} something else (network, process, clock); run = its code; ≈ estimated, 0–5 ms somewhere in between, ≥ at least, ? unknown`;
const WHOLE = '--all shows everything';

/** Of a loop's time: from then on it was computing that took the time. */
const BUSY = 0.5;
const SAMPLE_COMPUTING = "It computed: profile with 'waitline run --sample' to see which functions took the time.";

/** How a report is printed. */
export interface Printing extends Terminal {
	/** Whether everything is shown, however long that is. */
	isWhole: boolean;
	/** Whether stack samples were asked for; if absent, that is known only where there are some. */
	asksForSamples?: boolean;
}

/**
 * The report, ending in a line break; no line is longer than the terminal is wide. It has some 60 lines, unless the whole one is asked for.
 * @param textOf by default, for a program that has just run here, reads the file itself
 */
export function annotatedReport(report: Report, printing: Printing, textOf: TextOf = readNow): string {
	if (printing.isWhole) return within(ALL, report, printing, textOf).join('\n');
	for (const room of ROOMS) {
		const lines = within(room, report, printing, textOf);
		if (lines.length <= MOST_LINES) return lines.join('\n');
	}
	return within(ROOM, report, printing, textOf).join('\n');
}

function within(room: LinesPerPart, report: Report, printing: Printing, textOf: TextOf): string[] {
	const { columns, hasColours, asksForSamples = false } = printing;
	const paint = painter(hasColours);
	const title = (text: string) => ['', paint(cut(text, columns), 'bold')];
	const isAssuming = report.lines.some(({ assumesAddonJobs }) => assumesAddonJobs);
	const legend = paragraph(isAssuming ? `${LEGEND}; ${ASSUMED}` : LEGEND, columns);
	const part = (groups: string[][], most: number, what: string, times: readonly number[] = []): string[] => {
		const { shown, left } = fitting(groups, most);
		if (left === 0) return shown;
		const leftMs = sum(times.slice(-left), (ms) => ms);
		const time = leftMs === 0 ? '' : `, ${formatMs(leftMs)} in total`;
		return [...shown, ...paragraph(`and ${counted(left, `more ${what}`)}${time} (${WHOLE})`, columns)];
	};

	const above = [...title('Waitline')];
	const heads = headsOf(report).map((texts) => texts.flatMap((text) => paragraph(text, columns)));
	above.push(...part(heads, room.heads, 'thread'));
	if (report.untraced.length > 0)
		above.push(...paragraph(untracedText(report.untraced, isIncomplete(report)), columns));
	const warnings = report.warnings.map(({ file, line, message }) => {
		const at = line === null || file === null ? '' : `${short(file)}:${line} `;
		return paragraph(`! ${at}${message}`, columns).map((text) => paint(text, 'warning'));
	});
	above.push(...part(warnings, room.warnings, 'warning'));
	if (report.findings.length > 0) {
		const isSampled = asksForSamples || report.loops.some(({ blocks }) => blocks.some((block) => block.isSampled));
		const findings = findingsTexts(report, textOf, columns, isSampled);
		above.push(...title('Findings'), ...part(findings, room.findings, 'finding'));
	}

	const below: string[] = [];
	if (report.requests.length + report.unanswered.length > 0) {
		const texts = [
			...report.requests.map((route) => routeTexts(route, report.processes)),
			...report.unanswered.map((route) => [unansweredText(route, report.processes)]),
		];
		const routes = texts.map((route) => route.flatMap((text) => paragraph(text, columns)));
		below.push(...title('Requests, until the response is finished'), ...part(routes, room.requests, 'route'));
	}
	const blocks = blocksOf(report);
	if (blocks.length > 0) {
		const texts = blocks.map(({ text }) => paragraph(text, columns));
		const times = blocks.map(({ ms }) => ms);
		below.push(...title('Blocks of the event loop (50 ms and more)'), ...part(texts, room.blocks, 'cause', times));
	}
	if (report.lines.length > 0) below.push('', ...legend.map((text) => paint(text, 'dim')));
	below.push('');

	const left = Math.max(room.leastSource, MOST_LINES - above.length - below.length);
	return [...above, ...sourceLines(report, left, columns, paint, textOf), ...below];
}

/** A source line with what its operations waited for. */
interface WaitingLine {
	file: string;
	line: number;
	/** For how long one of its operations was under way. */
	ms: number;
	/** Its rank: that time; what findings are about comes first. */
	weight: number;
	text: string[];
}

/** Whether a part of what was recorded is missing. */
function isIncomplete({ warnings }: Report): boolean {
	return warnings.some(({ code }) => code === 'records-lost');
}

/** What is said of a program without lines: one that only computed has its answer in stack samples. */
function nothingText(report: Report): string {
	const { loops, processes } = report;
	if (processes.length === 0 && isIncomplete(report)) return 'Nothing of the program could be read.';
	const nothing = 'No line of the program waited for anything.';
	const isSampled = loops.some(({ blocks }) => blocks.some((block) => block.isSampled));
	const isBusy = loops.some(({ utilization }) => utilization >= BUSY);
	return isSampled || !isBusy ? nothing : `${nothing} ${SAMPLE_COMPUTING}`;
}

/** The source lines that matter most, as many as have room, by file: the user's own ones first. */
function sourceLines(report: Report, room: number, columns: number, paint: Paint, textOf: TextOf): string[] {
	if (report.lines.length === 0) return ['', ...paragraph(nothingText(report), columns)];
	const found = new Set(report.findings.map(({ file, line }) => `${line} ${file}`));
	const width = String(report.lines.reduce((most, { line }) => Math.max(most, line), 0)).length;
	const isWhole = room === ALL.leastSource;
	const all = [...groupBy(report.lines, ({ file, line }) => `${line} ${file}`)].map(([key, entries]): WaitingLine => {
		const { file, line } = entries[0]!;
		const source = linesOf(textOf(file))[line - 1] ?? '';
		const head = cut(`  ${String(line).padStart(width)}  ${shownCode(source).trim()}`, columns).trimEnd();
		const margin = ' '.repeat(width + 4);
		const underWayMs = (entry: Line) => underWayOf(entry, report.processes);
		const byTime = [...entries].sort((a, b) => underWayMs(b) - underWayMs(a) || compareWall(a, b));
		const shown = isWhole ? entries : byTime.slice(0, ENTRIES_SHOWN);
		const texts = shown.flatMap((entry) => {
			return entryOf(entry, pendingAgeMs(entry, report.processes), margin, columns, paint);
		});
		const others = entries.length - shown.length;
		if (others > 0) texts.push(cut(`${margin}and ${counted(others, 'operation')} that took less`, columns));
		const ms = most(entries, underWayMs);
		return { file, line, ms, weight: found.has(key) ? Number.POSITIVE_INFINITY : ms, text: [head, ...texts] };
	});
	const isOwn = ({ file }: { file: string }) => packageOf(file) === '';
	const byRank = [...all].sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || b.weight - a.weight);
	// Where some are left out, two lines say how many.
	const left = fittingLines(byRank, room).size === all.length ? room : room - 2;
	const shown = fittingLines(byRank, left);
	const out: string[] = [];
	const inOrder = [...all.filter(isOwn), ...all.filter((each) => !isOwn(each))].filter((each) => shown.has(each));
	for (const [file, waiting] of groupBy(inOrder, (each) => each.file)) {
		const note = textOf(file)?.isFromDisk ? FROM_DISK : '';
		out.push('', paint(cut(visibleText(short(file)), columns - note.length), 'bold') + note);
		for (const { text } of waiting) out.push(...text);
	}
	const rest = all.filter((each) => !shown.has(each));
	if (rest.length > 0) {
		const longest = most(rest, ({ ms }) => ms);
		out.push(
			'',
			...paragraph(
				`and ${counted(rest.length, 'more line')}, under way for ${formatMs(longest)} at most (${WHOLE})`,
				columns,
			),
		);
	}
	return out;
}

/** For how much wall time one of an entry's operations was under way, in ms: of what still waits, the oldest; a timer waits on purpose. */
function underWayOf(entry: Line, processes: Report['processes']): number {
	const stillMs = entry.class === 'timer' ? null : pendingAgeMs(entry, processes);
	return Math.max(entry.wallMs, stillMs ?? 0);
}

/** The first of several source lines, as many as have room together with the names of their files; at least one. */
function fittingLines(byRank: readonly WaitingLine[], room: number): Set<WaitingLine> {
	const shown = new Set<WaitingLine>();
	const files = new Set<string>();
	let used = 0;
	for (const waiting of byRank) {
		// The file's name, and the empty line above it.
		used += waiting.text.length + (files.has(waiting.file) ? 0 : 2);
		if (shown.size > 0 && used > room) break;
		shown.add(waiting);
		files.add(waiting.file);
	}
	return shown;
}
