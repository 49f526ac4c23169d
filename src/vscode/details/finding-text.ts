// A finding in words, and the line that it belongs to.
import type { Finding, SourceLine } from '../../protocol/report.ts';

export interface FindingText {
	title: string;
	/** The numbers that led to it. */
	evidence: string;
	/** How much it matters: its severity, the time lost, and whether it is over. */
	weight: string;
	/** What it means and what helps, in plain words. */
	explanation: string;
}

/** Whether a finding belongs to that line. */
export function isAt(finding: Finding, { file, line }: SourceLine): boolean {
	return finding.file === file && finding.line === line;
}
