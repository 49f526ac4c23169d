// When a finding can be seen on the timeline: its longest block, or an operation of its line whose wait is typical.
import { blameOf } from '../../protocol/blame.ts';
import type { Finding, Report } from '../../protocol/report.ts';
import type { ThreadTime } from '../../protocol/webview.ts';

/** @returns null where the report has no such moment */
export function findingTime({ pid, file, line, op }: Finding, report: Report): ThreadTime | null {
	const isThere = (at: { file: string; line: number }) => at.file === file && at.line === line;
	const blocks = report.loops
		.filter((loop) => loop.pid === pid)
		.flatMap(({ threadId, blocks }) => blocks.map((block) => ({ ...block, threadId })))
		.filter((block) => isThere(blameOf(block)))
		.sort((a, b) => b.durationMs - a.durationMs);
	const [longest] = blocks;
	if (longest !== undefined) {
		const { threadId, startMs, durationMs } = longest;
		return { pid, threadId, fromMs: startMs, toMs: startMs + durationMs };
	}
	const entries = report.lines.filter((entry) => isThere(entry) && entry.typical?.pid === pid);
	const typical = (entries.find((entry) => entry.op === op) ?? entries[0])?.typical;
	if (typical === null || typical === undefined) return null;
	const { threadId, startMs, waitMs, runMs } = typical;
	return { pid, threadId, fromMs: startMs, toMs: startMs + waitMs + runMs };
}
