// A finding in a terminal: its sentence, the code it is about, what to do, and what else has its cause.
import type { Finding } from '../protocol/report.ts';
import { visibleText } from '../protocol/visible-text.ts';
import { adviceFor } from './advice.ts';
import { cut, paragraph, short } from './layout.ts';
import { FROM_DISK, linesOf, shownCode, type TextOf } from './shown-text.ts';

/** Effects that are printed; more of them would say the same. */
const EFFECTS_SHOWN = 2;

/** @param isSampled whether stack samples were taken */
export function findingTexts(finding: Finding, textOf: TextOf, columns: number, isSampled: boolean): string[] {
	const others = finding.effects.length - EFFECTS_SHOWN;
	return [
		...paragraph(`${finding.code} (${finding.severity}): ${finding.message}`, columns),
		...excerptOf(finding, textOf, columns),
		...paragraph(`→ ${adviceFor(finding, isSampled)}`, columns, '    '),
		...finding.effects
			.slice(0, EFFECTS_SHOWN)
			.flatMap(({ code, message }) => paragraph(`also ${code}: ${message}`, columns, '    ')),
		...(others > 0 ? [`    and ${others} more of the same cause`] : []),
	];
}

/** A finding's line with the one before and the one after it; nothing where its text cannot be shown. */
function excerptOf({ file, line }: Finding, textOf: TextOf, columns: number): string[] {
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
