// From what the rules found to the report's findings: which comes first, and which are one thing.
import type { Finding, Severity } from '../../protocol/report.ts';
import { groupBy } from '../group-by.ts';
import type { Ranked } from './rule.ts';
import { severityOf } from './severity.ts';

/** A finding of some process. */
export interface Found {
	pid: number;
	/** How long the process was recorded, in ms. */
	durationMs: number;
	found: Ranked;
}

const ORDER: Record<Severity, number> = { high: 0, medium: 1, low: 2 };

/** For sorting: the graver one first. */
export function bySeverity(a: Finding, b: Finding): number {
	return ORDER[a.severity] - ORDER[b.severity];
}

/** What makes a finding the same one in the next report. */
export function keyOf(finding: Finding | Found): string {
	const { code, file, line, op } = 'found' in finding ? finding.found : finding;
	return `${code} ${finding.pid} ${line} ${op} ${file}`;
}

/** @param before its severity in the report before; null where it is new */
export function findingOf({ pid, durationMs, found }: Found, before: Severity | null = null): Finding {
	const severity = severityOf(durationMs === 0 ? 0 : found.lostMs / durationMs, before);
	return { pid, severity, isPast: false, effects: [], ...found };
}

/** The gravest and then the most time lost first; of those that are the same one, only that which cost most. */
export function ranked(found: readonly Found[]): Finding[] {
	const sorted = found.map((each) => findingOf(each)).sort((a, b) => bySeverity(a, b) || b.lostMs - a.lostMs);
	return [...groupBy(sorted, keyOf).values()].map(([most]) => most!);
}

/** Findings with the same root cause as one: the first of them, with the others as its effects. */
export function byRootCause(findings: readonly Finding[]): Finding[] {
	const groups = groupBy(findings, (finding) => {
		const root = rootOf(finding);
		return root === null ? keyOf(finding) : `${root.line} ${root.file}`;
	});
	return [...groups.values()].map(([first, ...effects]) => ({ ...first!, effects }));
}

/** The line to change: of code that blocked the loop its own one, for its cause may lie in a library. */
function rootOf({ code, file, line, cause }: Finding): { file: string; line: number } | null {
	if (code !== 'loop-blocked' && cause !== null) return cause;
	return file === null || line === null ? null : { file, line };
}
