// A finding in words, and the line that it belongs to.
import type { Finding, SourceLine } from '../../protocol/report.ts';

export interface FindingText {
	title: string;
	/** The numbers that led to it. */
	evidence: string;
	/** What it means and what helps, in plain words. */
	explanation: string;
}

/** Whether a finding belongs to that line. */
export function isAt(finding: Finding, { file, line }: SourceLine): boolean {
	return finding.file === file && finding.line === line;
}
