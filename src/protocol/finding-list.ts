// A report's findings one by one, for what asks about a line: in the report they are grouped by root cause.
import type { Finding } from './report.ts';

export function eachFinding(findings: readonly Finding[]): Finding[] {
	return findings.flatMap((finding) => [finding, ...finding.effects]);
}
