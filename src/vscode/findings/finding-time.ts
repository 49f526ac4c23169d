// When a finding can be seen on the timeline: the longest block of its line where it is about blocks, else an operation of its line whose wait is
// typical.
import { blameOf } from '../../protocol/blame.ts';
import type { Finding, FindingCode, Report } from '../../protocol/report.ts';
import type { ThreadTime } from '../../protocol/webview.ts';

/** The findings that are about what their line blocks. */
const OF_BLOCKS: readonly FindingCode[] = ['loop-blocked', 'sync-in-callback'];

/** @returns null where the report has no such moment */
export function findingTime(finding: Finding, report: Report): ThreadTime | null {
	const [block, wait] = [longestBlock(finding, report), typicalWait(finding, report)];
	return OF_BLOCKS.includes(finding.code) ? (block ?? wait) : (wait ?? block);
}

function longestBlock({ pid, file, line }: Finding, report: Report): ThreadTime | null {
	const [longest] = report.loops
		.filter((loop) => loop.pid === pid)
		.flatMap(({ threadId, blocks }) => blocks.map((block) => ({ ...block, threadId })))
		.filter((block) => {
			const at = blameOf(block);
			return at.file === file && at.line === line;
		})
		.sort((a, b) => b.durationMs - a.durationMs);
	if (longest === undefined) return null;
	const { threadId, startMs, durationMs } = longest;
	return { pid, threadId, fromMs: startMs, toMs: startMs + durationMs };
}

function typicalWait({ pid, file, line, op }: Finding, report: Report): ThreadTime | null {
	const entries = report.lines.filter(
		(entry) => entry.file === file && entry.line === line && entry.typical?.pid === pid,
	);
	const typical = (entries.find((entry) => entry.op === op) ?? entries[0])?.typical;
	if (typical === null || typical === undefined) return null;
	const { threadId, startMs, waitMs, runMs } = typical;
	return { pid, threadId, fromMs: startMs, toMs: startMs + waitMs + runMs };
}
