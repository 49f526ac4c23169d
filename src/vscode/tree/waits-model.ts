// The lines of a report as the tree "Async I/O" shows them: grouped by file or by class, those first that were under
// way for the longest time, and only those that pass the filter.
import { compareWall } from '../../protocol/latency.ts';
import type { Line, OperationClass, Report, SourceLine } from '../../protocol/report.ts';

/** The groups of the tree: one per file or one per class. */
export type TreeGrouping = 'file' | 'class';

/** Only one line of a file, or only one class. */
export type WaitsFilter = SourceLine | { class: OperationClass };

export interface WaitsGroup {
	/** A file's absolute path, or a class. */
	key: string;
	/** The sum over its lines, in ms: for the order of groups. */
	wallMs: number;
	/** Those first that were under way for the longest time, at most `MOST_LINES`. */
	lines: Line[];
	/** Lines beyond these. */
	more: number;
}

/** More rows than anyone reads; the panel has them all. */
export const MOST_LINES = 100;

/** The groups, those first whose lines were under way for the longest time. */
export function groupsOf(report: Report, grouping: TreeGrouping, filter: WaitsFilter | undefined): WaitsGroup[] {
	const groups = new Map<string, WaitsGroup>();
	for (const line of report.lines) {
		if (!isShown(line, filter)) continue;
		const key = grouping === 'file' ? line.file : line.class;
		const group = groups.get(key) ?? { key, wallMs: 0, lines: [], more: 0 };
		groups.set(key, group);
		group.wallMs += line.wallMs;
		group.lines.push(line);
	}
	for (const group of groups.values()) {
		group.lines.sort((a, b) => compareWall(a, b) || b.count - a.count);
		group.more = Math.max(0, group.lines.length - MOST_LINES);
		group.lines.length -= group.more;
	}
	return [...groups.values()].sort((a, b) => b.wallMs - a.wallMs);
}

function isShown(line: Line, filter: WaitsFilter | undefined): boolean {
	if (filter === undefined) return true;
	if ('class' in filter) return line.class === filter.class;
	return line.file === filter.file && line.line === filter.line;
}
