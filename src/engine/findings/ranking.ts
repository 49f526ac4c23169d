// From what the rules found to the report's findings: which comes first, and which are one thing.
import type { Finding, FindingCode, Severity } from '../../protocol/report.ts';
import { groupBy } from '../common/group-by.ts';
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

/** What only shows that something else is wrong. */
const SYMPTOMS = new Set<FindingCode>(['timers-late']);

/** For sorting: the graver one first, and of equally grave ones what is more than a symptom. */
export function bySeverity(a: Finding, b: Finding): number {
	return ORDER[a.severity] - ORDER[b.severity] || Number(SYMPTOMS.has(a.code)) - Number(SYMPTOMS.has(b.code));
}

/** What makes a finding the same one in the next report. */
export function keyOf(finding: Finding | Found): string {
	const { code, file, line, op } = 'found' in finding ? finding.found : finding;
	return `${code} ${finding.pid} ${line} ${op} ${file}`;
}

/** @param before its severity in the report before; null where it is new */
export function findingOf({ pid, durationMs, found }: Found, before: Severity | null = null): Finding {
	const severity = severityOf(durationMs === 0 ? 0 : found.lostMs / durationMs, before);
	return { pid, severity, isPast: false, effects: [], ranges: [], computed: [], ...found };
}

/** The gravest and then the most time lost first; of those that are the same one, only that which cost most. */
export function ranked(found: readonly Found[]): Finding[] {
	const sorted = found.map((each) => findingOf(each)).sort((a, b) => bySeverity(a, b) || b.lostMs - a.lostMs);
	return [...groupBy(sorted, keyOf).values()].map(([most]) => most!);
}

/**
 * Findings with the same root cause as one: the first of them that is more than a symptom, with the others as its effects.
 */
export function byRootCause(findings: readonly Finding[]): Finding[] {
	const groups = groupBy(findings, (finding) => {
		const root = rootOf(finding, findings);
		return root === null ? keyOf(finding) : `${root.line} ${root.file}`;
	});
	return [...groups.values()].map((group) => {
		const first = group.find(({ code }) => !SYMPTOMS.has(code)) ?? group[0]!;
		return { ...first, effects: group.filter((finding) => finding !== first) };
	});
}

/** The line to change: of code that blocked the loop its own one, since its cause may lie in a library. */
function rootOf(finding: Finding, all: readonly Finding[]): { file: string; line: number } | null {
	const { code, file, line, cause } = finding;
	if (code !== 'loop-blocked' && cause !== null) return cause;
	if (file === null || line === null) return null;
	const blocker = code === 'timers-late' ? blockerOf(finding, all) : null;
	return blocker ?? { file, line };
}

/** What made a line's timers late, where stack samples do not show it: the code whose blocks delayed them most. */
function blockerOf(
	late: Finding & { code: 'timers-late' },
	all: readonly Finding[],
): { file: string; line: number } | null {
	if (late.evidence.byBlocksMs * 2 < late.evidence.lateMs) return null;
	const blocker = all.find(({ code, pid, victim }) => {
		return code === 'loop-blocked' && pid === late.pid && victim?.file === late.file && victim?.line === late.line;
	});
	return blocker?.file == null || blocker.line === null ? null : { file: blocker.file, line: blocker.line };
}
