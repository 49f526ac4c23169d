// The report as text: per file, each source line that waited, and under it what it waited for.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Line, Pool, Process, Report, Split } from '../protocol/report.ts';
import { formatMs, formatTotal } from '../protocol/units.ts';
import type { Terminal } from './terminal.ts';

/** Width of the bar that shows the shares of a wait. */
const BAR_WIDTH = 16;
const BAR = { queue: '░', execute: '█', lag: '▒', rest: '─' } as const;

const COLOURS = {
	bold: '\u001b[1m',
	dim: '\u001b[2m',
	queue: '\u001b[33m',
	execute: '\u001b[36m',
	lag: '\u001b[31m',
	warning: '\u001b[35m',
} as const;
type Colour = keyof typeof COLOURS;

/** The whole report, ending in a line break. */
export function annotatedReport(report: Report, terminal: Terminal): string {
	const paint = (text: string, colour: Colour) => (terminal.hasColours ? `${COLOURS[colour]}${text}\u001b[0m` : text);
	const out: string[] = ['', paint('Waitline', 'bold')];
	for (const process of report.processes) out.push(...headOf(process, report));
	for (const warning of report.warnings) {
		const at = warning.file === null ? '' : `${short(warning.file)}:${warning.line} `;
		out.push(paint(`  ! ${at}${warning.message}`, 'warning'));
	}

	const numberWidth = String(Math.max(0, ...report.lines.map(({ line }) => line))).length;
	for (const [file, lines] of byFile(report.lines)) {
		out.push('', paint(short(file), 'bold'));
		const source = sourceOf(file);
		for (const [number, entries] of byLine(lines)) {
			const text = (source[number - 1] ?? '').trim();
			out.push(cut(`  ${String(number).padStart(numberWidth)}  ${text}`, terminal.columns));
			for (const entry of entries) {
				out.push(...entryOf(entry, numberWidth + 4, terminal.columns, paint));
			}
		}
	}
	if (report.lines.length === 0) out.push('', '  No line of the program waited for anything.');
	out.push(...blocksOf(report, paint), '', paint(legend(), 'dim'), '');
	return out.join('\n');
}

function headOf(process: Process, report: Report): string[] {
	const pool = report.pools.find(({ pid }) => pid === process.pid);
	const loop = report.loops.find(({ pid, threadId }) => pid === process.pid && threadId === process.threadId);
	const busy = loop === undefined ? '' : ` · loop ${Math.round(loop.utilization * 100)} % busy`;
	const end = process.end === 'exit' ? '' : ` · ${process.end}`;
	const facts = `Node ${process.node} · ${formatMs(process.durationMs)}${busy}${end}`;
	return [`  process ${process.pid} · ${facts}`, `  ${poolText(process, pool)}`];
}

function poolText(process: Process, pool: Pool | undefined): string {
	if (pool === undefined) return 'thread pool: not used';
	const threads = `thread pool: ${process.poolSize} ${process.poolSize === 1 ? 'thread' : 'threads'}`;
	if (pool.maxQueued === 0) return `${threads}, never saturated`;
	return `${threads}, saturated for ${formatMs(pool.saturatedMs)}, at most ${pool.maxQueued} queued`;
}

/** One line where it fits, else two: what it is, then its times. */
function entryOf(entry: Line, indent: number, columns: number, paint: Paint): string[] {
	const count = `×${entry.count}${entry.pending > 0 ? ` (+${entry.pending} pending)` : ''}`;
	const what = `${entry.op} ${count} · ${entry.class}`;
	const margin = ' '.repeat(indent);
	const times: [string, Split | null][] = [
		['wait', entry.wait],
		['queue', entry.queue],
		['execute', entry.execute],
		['lag', entry.lag],
		['run', entry.run],
	];
	const shown = times.filter((time): time is [string, Split] => time[1] !== null);
	const plain = shown.map(([name, split]) => `${name} ${formatTotal(split)}`).join('  ');
	const bar = barOf(entry, paint);
	const oneLine = indent + BAR_WIDTH + 2 + what.length + 3 + plain.length <= columns;
	if (oneLine) return [`${margin}${bar}  ${paint(what, 'dim')}   ${plain}`];
	return [
		`${margin}${bar}  ${paint(what, 'dim')}`,
		...wrap(
			shown.map(([name, split]) => `${name} ${formatTotal(split)}`),
			margin,
			columns,
		),
	];
}

function wrap(parts: string[], margin: string, columns: number): string[] {
	const lines: string[] = [];
	let line = margin;
	for (const part of parts) {
		const next = line === margin ? margin + part : `${line}  ${part}`;
		if (next.length > columns && line !== margin) {
			lines.push(line);
			line = margin + part;
		} else {
			line = next;
		}
	}
	lines.push(line);
	return lines;
}

/** The shares of queue, execute and lag in the wait. */
function barOf({ wait, queue, execute, lag }: Line, paint: Paint): string {
	const total = wait?.totalMs ?? 0;
	let left = BAR_WIDTH;
	let bar = '';
	for (const [name, split] of [
		['queue', queue],
		['execute', execute],
		['lag', lag],
	] as const) {
		if (split === null || split.basis === 'unknown' || total === 0) continue;
		const width = Math.min(left, Math.round((split.totalMs / total) * BAR_WIDTH));
		bar += paint(BAR[name].repeat(width), name);
		left -= width;
	}
	return bar + paint(BAR.rest.repeat(left), 'dim');
}

function blocksOf(report: Report, paint: Paint): string[] {
	const lines = new Map<string, { count: number; total: number; longest: number; delayed: number }>();
	for (const { blocks } of report.loops) {
		for (const { file, line, durationMs, delayed } of blocks) {
			const key = file === '' ? 'code of no known line' : `${short(file)}:${line}`;
			const sum = lines.get(key) ?? { count: 0, total: 0, longest: 0, delayed: 0 };
			sum.count++;
			sum.total += durationMs;
			sum.longest = Math.max(sum.longest, durationMs);
			sum.delayed += delayed;
			lines.set(key, sum);
		}
	}
	if (lines.size === 0) return [];
	const out = ['', paint('Blocks of the event loop (50 ms or longer)', 'bold')];
	for (const [at, { count, total, longest, delayed }] of lines) {
		const times = `×${count}, ${formatMs(total)} in all, ${formatMs(longest)} the longest`;
		out.push(`  ${at}  ${times}, ${delayed} ${delayed === 1 ? 'operation' : 'operations'} delayed`);
	}
	return out;
}

function legend(): string {
	return `  wait = ${BAR.queue} queue (no thread free) + ${BAR.execute} execute (on a thread) + ${BAR.lag} lag (done, the loop was busy); run = its code; ≈ estimated, ? unknown`;
}

type Paint = (text: string, colour: Colour) => string;

function byFile(lines: readonly Line[]): Map<string, Line[]> {
	return groupBy(lines, ({ file }) => file);
}

function byLine(lines: readonly Line[]): Map<number, Line[]> {
	return groupBy(lines, ({ line }) => line);
}

function groupBy<K>(lines: readonly Line[], keyOf: (line: Line) => K): Map<K, Line[]> {
	const groups = new Map<K, Line[]>();
	for (const line of lines) {
		const key = keyOf(line);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [line]);
		else group.push(line);
	}
	return groups;
}

function sourceOf(file: string): string[] {
	try {
		return readFileSync(file, 'utf8').split(/\r?\n/);
	} catch {
		// A recording from another machine, or a file that is gone: the figures stand without the text.
		return [];
	}
}

/** Relative to where the person stands when that is shorter. */
function short(file: string): string {
	const relative = path.relative(process.cwd(), file);
	return relative.length < file.length ? relative : file;
}

function cut(text: string, columns: number): string {
	return text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;
}
