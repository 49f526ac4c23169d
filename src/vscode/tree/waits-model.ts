// The lines of a report as the tree "Async I/O" shows them: grouped by file or by class, the longest wait first, and only those
// that the filter lets through.
import type { Line, OperationClass, Report, SourceLine } from '../../protocol/report.ts';

/** What the groups of the tree are. */
export type Grouping = 'file' | 'class';

/** Only one line of a file, or only one class. */
export type WaitsFilter = SourceLine | { class: OperationClass };

export interface WaitsGroup {
	/** A file's absolute path, or a class. */
	key: string;
	/** Of all its lines, in ms. */
	waitMs: number;
	/** The longest wait first, at most `MOST_LINES`. */
	lines: Line[];
	/** Lines beyond these. */
	more: number;
}

/** More rows than anybody reads; the panel has them all. */
export const MOST_LINES = 100;

/** The groups, the longest wait first. */
export function groupsOf(report: Report, grouping: Grouping, filter: WaitsFilter | undefined): WaitsGroup[] {
	const groups = new Map<string, WaitsGroup>();
	for (const line of report.lines) {
		if (!isShown(line, filter)) continue;
		const key = grouping === 'file' ? line.file : line.class;
		const group = groups.get(key) ?? { key, waitMs: 0, lines: [], more: 0 };
		groups.set(key, group);
		group.waitMs += waitMsOf(line);
		group.lines.push(line);
	}
	for (const group of groups.values()) {
		group.lines.sort((a, b) => waitMsOf(b) - waitMsOf(a) || b.count - a.count);
		group.more = Math.max(0, group.lines.length - MOST_LINES);
		group.lines.length -= group.more;
	}
	return [...groups.values()].sort((a, b) => b.waitMs - a.waitMs);
}

function isShown(line: Line, filter: WaitsFilter | undefined): boolean {
	if (filter === undefined) return true;
	if ('class' in filter) return line.class === filter.class;
	return line.file === filter.file && line.line === filter.line;
}

function waitMsOf(line: Line): number {
	return line.wait === null || line.wait.basis === 'unknown' ? 0 : line.wait.totalMs;
}
