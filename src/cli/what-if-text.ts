// The answer of `waitline what-if` as text: per process what was recorded, and below it what each other condition would change.
import { groupBy } from '../engine/common/group-by.ts';
import type { Durations } from '../protocol/report.ts';
import { counted, formatCount, formatMs, formatRange } from '../protocol/units.ts';
import { visibleText } from '../protocol/visible-text.ts';
import type { WhatIfFigures, WhatIfProcess, WhatIfReport } from '../protocol/what-if.ts';
import { cut, paragraph, short, wrap } from './layout.ts';
import type { Terminal } from './terminal.ts';

const ASSUMPTIONS =
	'Assumptions: Each callback does the same and takes as long as when it was recorded. What comes from outside (requests, answers, timers) arrives when it did, or as long after the request for it; the next request over a connection arrives as long after the last answer. Hashes, zlib and add-ons compute all the time and share the processors equally with the callbacks; files and names need no processor. Nothing else runs on the machine. A server’s figures may lie outside the limits where its clients wait for one another or run on the same machine, or where files come from a cache, which takes a processor.';
const CORES_UNKNOWN =
	'The recording does not say how many processors there were; those of this machine are assumed (--recorded-cores).';

export function whatIfText({ predictions, areCoresKnown }: WhatIfReport, terminal: Terminal): string {
	const { columns } = terminal;
	const out: string[] = [''];
	const say = (text: string, margin?: string) => out.push(...paragraph(text, columns, margin));
	if (predictions.length === 0) say('No line of the program used the thread pool, so there is nothing to replay.', '');
	for (const [pid, all] of groupBy(predictions, ({ pid }) => pid)) {
		const [{ recorded, total, endedMs, left }] = all as [WhatIfProcess];
		out.push(cut(`process ${pid} · ${conditionsText(recorded.threads, recorded.cores)} when it was recorded`, columns));
		const off = total.recorded.totalMs > 0 ? Math.abs(total.replayed.totalMs / total.recorded.totalMs - 1) : 0;
		say(
			`Replayed as recorded, the waits of its ${counted(total.count, 'pool operation')} add up to ${formatMs(total.replayed.totalMs)} instead of ${formatMs(total.recorded.totalMs)} (${percent(off)} off).`,
		);
		if (left > 0)
			say(`! Only its beginning is replayed. Later callbacks and operations that are left out: ${formatCount(left)}.`);
		if (all.length > 1) out.push('', ...table(all, columns));
		else out.push(...single(all[0]!, columns));
		if (all.length > 1)
			say(
				`All waits together: ${formatMs(total.recorded.totalMs)} when it was recorded, ${formatMs(endedMs.recorded)} from the first to the last callback.`,
			);
		out.push('');
	}
	if (predictions.length > 0) say(ASSUMPTIONS);
	if (predictions.length > 0 && !areCoresKnown) say(CORES_UNKNOWN);
	out.push('');
	return out.join('\n');
}

function conditionsText(threads: number, cores: number): string {
	return `${counted(threads, 'thread')} on ${counted(cores, 'processor')}`;
}

/** One row for each condition. */
function table(all: readonly WhatIfProcess[], columns: number): string[] {
	const rows = all.map(({ conditions, recorded, total, endedMs }) => {
		const isSame = conditions.threads === recorded.threads && conditions.cores === recorded.cores;
		return [
			`${conditions.threads}${isSame ? ' *' : ''}`,
			ranged(total, 'p50Ms'),
			ranged(total, 'p95Ms'),
			ranged(total, 'totalMs'),
			formatMs(total.queueMs.predicted),
			formatMs(endedMs.predicted),
		];
	});
	const cells = [['threads', 'p50', 'p95', 'all waits', 'queued', 'last callback'], ...rows];
	const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
	return cells.map((row) => cut(`  ${row.map((text, i) => text.padEnd(widths[i]!)).join('  ')}`.trimEnd(), columns));
}

/** Each line under one condition, as it was and as it would be. */
function single({ conditions, lines, total, endedMs }: WhatIfProcess, columns: number): string[] {
	const changes = conditions.changed.map(
		({ file, line, percent }) => `${short(file)}:${line} taking ${percent > 0 ? '+' : ''}${percent} %`,
	);
	const head = [conditionsText(conditions.threads, conditions.cores), ...changes].join(', ');
	const out = ['', cut(visibleText(`With ${head}:`), columns)];
	for (const line of lines) {
		const place = `${short(line.file)}:${line.line}`;
		out.push(cut(`  ${visibleText(`${place}  ${line.op} ×${formatCount(line.count)}`)}`, columns));
		out.push(...wrap(changesOf(line), '  ', '    ', columns));
	}
	out.push(cut('  all of them', columns), ...wrap(changesOf(total), '  ', '    ', columns));
	out.push(cut(`  last callback over after ${formatMs(endedMs.recorded)} → ${formatMs(endedMs.predicted)}`, columns));
	return out;
}

function changesOf(figures: WhatIfFigures): string[] {
	const { recorded, queueMs } = figures;
	return [
		...(['p50Ms', 'p95Ms'] as const).map(
			(figure) => `${figure.slice(0, 3)} ${formatMs(recorded[figure])} → ${ranged(figures, figure)}`,
		),
		`total ${formatMs(recorded.totalMs)} → ${ranged(figures, 'totalMs')}`,
		`queue ${formatMs(queueMs.recorded)} → ${formatMs(queueMs.predicted)}`,
	];
}

function ranged({ predicted: { range } }: WhatIfFigures, figure: keyof Durations): string {
	return formatRange(range.low[figure], range.high[figure]);
}

function percent(share: number): string {
	return `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
}
