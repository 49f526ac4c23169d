// Everything that a report says about one source line, as a text: what the hover, the tree's tooltips and the clipboard show.

import { blockText, MARK } from '../../protocol/annotation.ts';
import { blameOf, computedIn } from '../../protocol/blame.ts';
import { eachFinding } from '../../protocol/finding-list.ts';
import { histogramBars, histogramText } from '../../protocol/histogram.ts';
import { latencyText, rateText } from '../../protocol/latency.ts';
import { type LifeStrings, lifeOf, type StepTime } from '../../protocol/life.ts';
import { asyncStacksMark, type LineFacts } from '../../protocol/line-facts.ts';
import { mechanismOf } from '../../protocol/mechanism.ts';
import { pendingAgeMs } from '../../protocol/pending-age.ts';
import type {
	Culprit,
	CulpritLine,
	Delay,
	Finding,
	Line,
	Process,
	Report,
	Route,
	SourceLine,
	Split,
} from '../../protocol/report.ts';
import { stepTexts, typicalDuration, unansweredTexts } from '../../protocol/request-text.ts';
import {
	ASYNC_STACKS_MARK,
	BASIS_MARK,
	formatAnswered,
	formatCount,
	formatFigure,
	formatMs,
	formatRange,
	formatTimes,
} from '../../protocol/units.ts';
import { fill, type ViewFile, type ViewStringKey, type ViewStrings } from '../../protocol/webview.ts';
import { fillInline, type Inline, joinInline, type TextBlock } from '../common/rich-text.ts';
import { type FindingText, isAt } from './finding-text.ts';

/** Texts of the details beside those that all views share. */
export interface DetailStrings {
	edited: string;
	basis: string;
	measured: string;
	oldestPending: string;
	sampled: string;
	assumed: string;
	assumesAddonJobs: string;
	asyncStacks: string;
	turnOffAsyncStacks: string;
	extrapolated: string;
	/** `3 of 4 unknown` */
	partlyUnknown: string;
	histogram: string;
	life: string;
	/** The same for operations after which no code of the program runs. */
	lifeWithoutRun: string;
	mechanism: string;
	pool: string;
	ioUring: string;
	whatToDo: string;
	calledFrom: string;
	mainScript: string;
	through: string;
	delays: string;
	delayedBy: string;
	inAll: string;
	garbage: string;
	showInPanel: string;
	filterLine: string;
	filterClass: string;
	computed: string;
	startUp: string;
	moduleCode: string;
	garbageShare: string;
	copy: string;
}

/** What the details need besides the report. */
export interface DetailContext {
	view: ViewStrings;
	detail: DetailStrings;
	life: LifeStrings;
	findingText(finding: Finding): FindingText;
	/** The words of the fix for a finding; undefined where none is certain. */
	fixOf(finding: Finding): string | undefined;
	/** Whether an open document has different code there than ran. */
	isEdited(at: SourceLine): boolean;
	/** Gives a file of the report the number by which links may name it. */
	issue(file: string): ViewFile;
}

/** The parts of an operation's life in their order. */
const PARTS = ['wait', 'queue', 'execute', 'lag', 'run'] as const;
const PART_LABEL: Record<(typeof PARTS)[number], ViewStringKey> = {
	wait: 'columnWait',
	queue: 'columnQueue',
	execute: 'columnExecute',
	lag: 'columnLag',
	run: 'columnRun',
};

/** Before the parts of a wait. */
const INDENT = '\u00a0\u00a0';

/** The most lines that a hover names in one list. */
const MOST_LINKS = 5;

/**
 * The line's figures, the life of one typical operation, and how the line is connected to others.
 * @param actions follow the first figures, where they are visible without scrolling
 */
export function lineDetails(
	facts: LineFacts,
	report: Report,
	context: DetailContext,
	actions: TextBlock[] = [],
): TextBlock[] {
	const { view, detail } = context;
	const findings = eachFinding(report.findings).filter((finding) => isAt(finding, facts));
	const blocks: TextBlock[] = context.isEdited(facts) ? [{ paragraph: [detail.edited] }] : [];
	blocks.push(...findings.map((finding) => ({ paragraph: findingSummary(finding, context) })));
	for (const { code } of facts.warnings) {
		// A finding of the same name gives it with its numbers.
		if (findings.some((finding) => finding.code === code)) continue;
		blocks.push({ paragraph: [`${MARK.warning} ${view[`warning.${code}`]}`] });
	}
	for (const route of facts.routes) blocks.push(...answers(route, report, context));
	for (const route of facts.unanswered) {
		const texts = unansweredTexts(route, report.processes, view);
		blocks.push({ paragraph: [{ strong: { data: route.op } }, ` ${texts.join(' · ')}`] });
	}
	if (facts.blocks.length > 0) blocks.push(...blockedLoop(facts, context));
	for (const [index, entry] of facts.entries.entries()) {
		blocks.push(...figures(entry, pendingAgeMs(entry, report.processes), context));
		// The entry that was under way longest comes first: the others' lives would mostly repeat it.
		if (index === 0) blocks.push(...actions, ...life(entry, report, context));
		if (entry.callers.length > 0) {
			const callers = entry.callers.slice(0, MOST_LINKS).map((caller): Inline[] => {
				const by: Inline[] = caller.op === '' ? [detail.mainScript] : [{ data: caller.op }];
				return [lineLink(caller, context), ' (', ...by, ` ×${formatCount(caller.count)})`];
			});
			blocks.push({ paragraph: [`${detail.calledFrom} `, ...joinInline(callers, ' · ')] });
		}
		if (entry.libraries.length > 0) {
			const libraries = entry.libraries.slice(0, MOST_LINKS).map((at) => [lineLink(at, context)]);
			blocks.push({ paragraph: [`${detail.through} `, ...joinInline(libraries, ' · ')] });
		}
	}
	if (facts.entries.length === 0) blocks.push(...actions);
	blocks.push(...delayedBy(facts, report, context));
	return blocks;
}

/** A finding in full, including what it means. */
export function findingDetails(finding: Finding, context: DetailContext): TextBlock[] {
	const { weight, explanation } = context.findingText(finding);
	return [{ paragraph: findingSummary(finding, context) }, { paragraph: [explanation] }, { paragraph: [weight] }];
}

/** A finding with its numbers and what can be done about it from here. */
function findingSummary(finding: Finding, context: DetailContext): Inline[] {
	const { title, evidence } = context.findingText(finding);
	const links: Inline[] = [{ label: context.detail.whatToDo, command: 'waitline.explainFindings', args: [] }];
	const fix = context.fixOf(finding);
	if (fix !== undefined) links.push(' · ', { label: fix, command: 'waitline.setPoolSize', args: [] });
	return [`${MARK.warning} `, { strong: title }, ` ${evidence} `, ...links];
}

/** The commands for a line. */
export function detailActions(facts: LineFacts, context: DetailContext): TextBlock[] {
	const { view, detail } = context;
	const at = [context.issue(facts.file).id, facts.line];
	const links: Inline[][] = [
		[{ label: detail.showInPanel, command: 'waitline.revealInPanel', args: at }],
		[{ label: detail.filterLine, command: 'waitline.filterToLine', args: at }],
	];
	const first = facts.entries[0];
	if (first !== undefined) {
		const label = fill(detail.filterClass, view[`class.${first.class}`]);
		links.push([{ label, command: 'waitline.filterToClass', args: [first.class] }]);
	}
	links.push([{ label: detail.copy, command: 'waitline.copyLine', args: at }]);
	return [{ paragraph: joinInline(links, ' · ') }];
}

/** How long the requests took that the line's handler served, and what one of them spent its time on. */
function answers(route: Route, { processes }: Report, context: DetailContext): TextBlock[] {
	const { view, issue } = context;
	const { duration } = route;
	const latency = latencyText({ split: duration, of: 'response' }, view);
	const rate = rateText(route);
	const figures = [latency, formatAnswered(route), ...(rate === '' ? [] : [rate])];
	const head = ` ${[...figures, ...unansweredTexts(route, processes, view)].join(' · ')}`;
	const steps = stepTexts(route, view, (file, line) => `${issue(file).label}:${line}`);
	const blocks: TextBlock[] = [{ paragraph: [{ strong: { data: route.op } }, head] }];
	if (steps.length === 0) return blocks;
	blocks.push({ paragraph: [fill(view.typicalRequest, typicalDuration(route))] });
	blocks.push({ ordered: false, list: steps.map((step): Inline[] => [{ data: step }]) });
	return blocks;
}

/** @param age of the oldest pending operation, in ms */
function figures(entry: Line, age: number | null, { view, detail }: DetailContext): TextBlock[] {
	const head: Inline[] = [
		{ strong: { data: entry.op } },
		` ${formatTimes(entry.count, entry.isCountEstimated)} · ${view[`class.${entry.class}`]}`,
	];
	if (entry.pending > 0) head.push(` · ${fill(view.pending, formatCount(entry.pending))}`);
	if (age !== null) head.push(` · ${fill(detail.oldestPending, formatMs(age))}`);
	if (entry.sampledOf > 1) head.push(` · ${fill(detail.sampled, formatCount(entry.sampledOf))}`);
	const rows = PARTS.flatMap((part) => {
		const split = entry[part];
		const label = view[PART_LABEL[part]];
		return split === null
			? []
			: [
					tableRow(
						`${part === 'wait' || part === 'run' ? '' : INDENT}${label}${asyncStacksMark([entry], part)}`,
						split,
						basisText(split, entry, view, detail),
					),
				];
	});
	if (entry.count > 1) {
		const rate = rateText(entry);
		head.push(` · ${fill(view.underWay, formatMs(entry.wallMs))}`);
		if (entry.maxInFlight !== null) head.push(` · ${fill(view.atOnce, formatCount(entry.maxInFlight))}`);
		if (rate !== '') head.push(` · ${rate}`);
	}
	const blocks: TextBlock[] = [{ paragraph: head }];
	if (rows.length > 0) {
		const columns = ['', view.columnMedian, view.columnP95, view.columnMax, view.columnTotal, `\u00a0${detail.basis}`];
		blocks.push({ table: [columns.map((column) => [column]), ...rows] });
	}
	if (entry.assumesAddonJobs) blocks.push({ paragraph: [detail.assumesAddonJobs] });
	if (entry.asyncStackRuns > 0) {
		const text = `${ASYNC_STACKS_MARK} ${fill(detail.asyncStacks, formatCount(entry.asyncStackRuns), formatCount(entry.count))} `;
		blocks.push({
			paragraph: [text, { label: detail.turnOffAsyncStacks, command: 'waitline.turnOffAsyncStacks', args: [] }],
		});
	}
	if (entry.histogram.length > 0)
		blocks.push({
			paragraph: [{ code: histogramBars(entry.histogram) }, ` ${histogramText(entry.histogram, detail)}`],
		});
	return blocks;
}

/** @param basis in words */
function tableRow(label: string, split: Split, basis: string): Inline[][] {
	if (split.basis === 'unknown' && (split.atLeast?.totalMs ?? 0) === 0)
		return [label, '', '', '', '', basis].map((text) => [text]);
	const values = (['p50Ms', 'p95Ms', 'maxMs', 'totalMs'] as const).map((figure) => [
		{ data: formatFigure(split, figure) },
	]);
	// Separate from the figures, which end where it begins.
	return [[label], ...values, [{ data: ` ${basis}` }]];
}

function basisText(
	{ basis, uncertaintyMs, atLeast }: Split,
	{ count, sampledOf }: Line,
	view: ViewStrings,
	detail: DetailStrings,
): string {
	if (atLeast !== null && atLeast.totalMs > 0) {
		return fill(detail.partlyUnknown, formatCount(atLeast.unknown), formatCount(count));
	}
	if (basis === 'unknown') return view.unknown;
	if (basis === 'measured') return detail.measured;
	if (uncertaintyMs > 0) return fill(view.estimated, formatMs(uncertaintyMs));
	// A sample's total is not measured, even if each operation in the sample was.
	return sampledOf > 1 ? detail.extrapolated : detail.assumed;
}

function life(entry: Line, report: Report, { detail, life }: DetailContext): TextBlock[] {
	const { typical, run } = entry;
	const process = processOf(entry, report);
	const blocks: TextBlock[] = [];
	if (typical !== null) {
		const waited = formatMs(typical.waitMs);
		const text =
			run === null ? fill(detail.lifeWithoutRun, waited) : fill(detail.life, waited, formatMs(typical.runMs));
		blocks.push({ paragraph: [text] });
		const list = lifeOf(entry, process).map(({ name, detail: what, time }): Inline[] => {
			const sentence = what === '' ? life[name].replace(/\s*[（(]\{0\}[）)]/, '') : life[name];
			const text = fillInline(sentence, name === 'call' ? { data: what } : { code: what });
			return time === null ? text : [...text, ' — ', { strong: timeText(time) }];
		});
		blocks.push({ ordered: true, list });
	}
	const facts = process === undefined ? [] : mechanismFacts(entry, process, detail);
	if (facts.length > 0) blocks.push({ paragraph: [facts.join(' · ')] });
	return blocks;
}

function timeText({ ms, basis, uncertaintyMs }: StepTime): string {
	if (basis !== 'estimated') return BASIS_MARK[basis] + formatMs(ms);
	return formatRange(Math.max(0, ms - uncertaintyMs), ms + uncertaintyMs);
}

/** What the kernel and the pool of the program's process have to do with the line. */
function mechanismFacts(entry: Line, process: Process, detail: DetailStrings): string[] {
	const facts: string[] = [];
	if (entry.class === 'threadpool') facts.push(fill(detail.pool, process.poolSize));
	if (entry.class !== 'loop') facts.push(fill(detail.mechanism, mechanismOf(process).name, process.platform));
	if (entry.class === 'io_uring' || (process.ioUring === true && entry.class === 'threadpool'))
		facts.push(detail.ioUring);
	return facts;
}

/** The process of the typical operation; without one, any if all are alike. */
function processOf({ typical }: Line, report: Report): Process | undefined {
	if (typical !== null) {
		return report.processes.find(({ pid, threadId }) => pid === typical.pid && threadId === typical.threadId);
	}
	const [first] = report.processes;
	return report.processes.every(({ platform, poolSize }) => platform === first?.platform && poolSize === first.poolSize)
		? first
		: undefined;
}

function blockedLoop(facts: LineFacts, context: DetailContext): TextBlock[] {
	const { view, detail } = context;
	const { blocks: found } = facts;
	const gc = found.filter(({ cause }) => cause === 'gc').length;
	const garbage = gc === 0 ? '' : ` · ${fill(detail.garbage, formatCount(gc))}`;
	const startUp = found.some(({ isStartUp }) => isStartUp) ? ` · ${detail.startUp}` : '';
	const blocks: TextBlock[] = [{ paragraph: [`${MARK.block} ${blockText(facts, view)}${startUp}${garbage}`] }];
	const computed = computedIn(found).slice(0, MOST_LINKS);
	if (computed.length > 0) {
		const list = computed.map((culprit) => culpritItem(culprit, context));
		blocks.push({ paragraph: [detail.computed] }, { ordered: false, list });
	}
	const delays = added(found.flatMap((block) => block.delays));
	if (delays.length === 0) return blocks;
	blocks.push(
		{ paragraph: [detail.delays] },
		{ ordered: false, list: delays.map((delay) => delayItem(delay, context)) },
	);
	return blocks;
}

/** `buildReport main.cjs:9 · ≈1.8 s · called from handler main.cjs:14` */
function culpritItem(culprit: Culprit, context: DetailContext): Inline[] {
	const { detail } = context;
	const nameOf = (name: string): Inline => (name === '' ? detail.moduleCode : { data: name });
	const item: Inline[] = [nameOf(culprit.function), ' ', lineLink(culprit, context)];
	if (culprit.api !== null) item.push(' → ', { data: culprit.api });
	item.push(` · ${BASIS_MARK[culprit.basis]}${formatMs(culprit.selfMs)}`);
	if (culprit.lines.length > 0) item.push(' (', ...culprit.lines.flatMap(partOf), ')');
	if (culprit.collectionMs > 0) item.push(` (${fill(detail.garbageShare, formatMs(culprit.collectionMs))})`);
	const { calledFrom } = culprit;
	if (calledFrom !== null) {
		item.push(` · ${detail.calledFrom} `, nameOf(calledFrom.function), ' ', lineLink(calledFrom, context));
	}
	return item;
}

/** `:8 → zlib ≈322 ms`, behind a comma where it is not the first. */
function partOf({ line, api, selfMs }: CulpritLine, index: number): Inline[] {
	const at = `${index === 0 ? '' : ', '}:${line}`;
	const time = ` ${BASIS_MARK.estimated}${formatMs(selfMs)}`;
	return api === null ? [at, time] : [at, ' → ', { data: api }, time];
}

/** The lines that blocked the loop while this line's operations were done. */
function delayedBy(facts: LineFacts, report: Report, context: DetailContext): TextBlock[] {
	const delays: Delay[] = [];
	for (const block of report.loops.flatMap((loop) => loop.blocks)) {
		for (const delay of block.delays) {
			if (delay.file !== facts.file || delay.line !== facts.line) continue;
			const { file, line } = blameOf(block);
			delays.push({ ...delay, file, line });
		}
	}
	if (delays.length === 0) return [];
	const list = added(delays).map((delay) => delayItem(delay, context));
	return [{ paragraph: [context.detail.delayedBy] }, { ordered: false, list }];
}

/** One entry per line and operation, the longest first. */
function added(delays: readonly Delay[]): Delay[] {
	const sums = new Map<string, Delay>();
	for (const delay of delays) {
		const key = `${delay.line} ${delay.op} ${delay.file}`;
		const sum = sums.get(key);
		if (sum === undefined) {
			sums.set(key, { ...delay });
			continue;
		}
		sum.count += delay.count;
		sum.totalMs += delay.totalMs;
		sum.leastMs += delay.leastMs;
		sum.mostMs += delay.mostMs;
	}
	return [...sums.values()].sort((a, b) => b.totalMs - a.totalMs).slice(0, MOST_LINKS);
}

function delayItem({ op, count, leastMs, mostMs, ...at }: Delay, context: DetailContext): Inline[] {
	const time = formatRange(leastMs, mostMs);
	return [
		{ data: op },
		' · ',
		lineLink(at, context),
		` · ×${formatCount(count)} · ${fill(context.detail.inAll, time)}`,
	];
}

/** `server.js:12`, which opens that line. */
function lineLink({ file, line }: SourceLine, { issue }: DetailContext): Inline {
	const { id, label } = issue(file);
	return { label: `${label}:${line}`, command: 'waitline.openLine', args: [id, line] };
}
