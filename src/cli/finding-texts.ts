// A finding in a terminal: its sentence, the code it is about, what to do, and what else has its cause.
import { eachFinding } from '../protocol/finding-list.ts';
import type { Finding, Process, Report } from '../protocol/report.ts';
import { threadName } from '../protocol/thread-name.ts';
import { visibleText } from '../protocol/visible-text.ts';
import { adviceFor } from './advice.ts';
import { cut, paragraph, short } from './layout.ts';
import { FROM_DISK, linesOf, shownCode, type TextOf } from './shown-text.ts';

/** Effects that are printed; more of them would say the same. */
const EFFECTS_SHOWN = 2;

/** @param isSampled whether stack samples were taken */
export function findingsTexts(
	{ findings, processes }: Report,
	textOf: TextOf,
	columns: number,
	isSampled: boolean,
): string[][] {
	const pids = new Set(eachFinding(findings).map(({ pid }) => pid));
	// Processes that run the same code often have the same findings.
	const named = ({ code, pid }: Finding, severity: string) =>
		`${code}${severity}${pids.size > 1 ? `, process ${nameOf(pid, processes)}` : ''}`;
	return findings.map((finding) => {
		const others = finding.effects.length - EFFECTS_SHOWN;
		return [
			...paragraph(`${named(finding, ` (${finding.severity})`)}: ${finding.message}`, columns),
			...excerptOf(finding, textOf, columns),
			...paragraph(`→ ${adviceFor(finding, isSampled)}`, columns, '    '),
			...finding.effects
				.slice(0, EFFECTS_SHOWN)
				.flatMap((effect) => paragraph(`also ${named(effect, '')}: ${effect.message}`, columns, '    ')),
			...(others > 0 ? [`    and ${others} more of the same cause`] : []),
		];
	});
}

function nameOf(pid: number, processes: readonly Process[]): string {
	const main = processes.find((process) => process.pid === pid && process.threadId === 0);
	return main === undefined ? String(pid) : threadName(main);
}

/** The line to look at: late timers only show what kept the loop busy. */
function lineOf({ code, cause, file, line }: Finding): Pick<Finding, 'file' | 'line'> {
	return code === 'timers-late' && cause !== null ? cause : { file, line };
}

/** A finding's line with the one before and the one after it; nothing where its text cannot be shown. */
function excerptOf(finding: Finding, textOf: TextOf, columns: number): string[] {
	const { file, line } = lineOf(finding);
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
