// What the language-model tools answer: the report's own figures with their basis, as JSON, and errors that say what to do. A model
// gets names, places and times; a report contains nothing else.
import { eachFinding } from '../../protocol/finding-list.ts';
import { compareWall } from '../../protocol/latency.ts';
import { factsByFile } from '../../protocol/line-facts.ts';
import { endsWithPath } from '../../protocol/path-style.ts';
import type { Line, OperationClass, Report, SourceLine, Split } from '../../protocol/report.ts';

export interface HotLinesInput {
	/** How many lines, 1 to `MOST_LINES`. */
	limit?: number;
	/** Only lines of files whose path ends like this. */
	file?: string;
	class?: OperationClass;
}

export interface LineInput {
	/** An absolute path, or its end. */
	file: string;
	/** 1-based. */
	line: number;
}

/** The line number, like its figures, is that of the code that ran. */
const EDITED = { editedSince: true };

const LINES = 10;
const MOST_LINES = 100;

/** The session as the tools see it. */
export interface Profiled {
	name: string;
	live: boolean;
	report: Report;
	/** Whether the editor's text of the file has different code there than ran. */
	isEdited(at: SourceLine): boolean;
}

/** @throws a sentence for the model */
export function hotLines(profiled: Profiled | undefined, { limit, file, class: wanted }: HotLinesInput): object {
	const { report, isEdited, ...session } = needed(profiled);
	if (limit !== undefined && !Number.isFinite(limit)) throw new Error('Give "limit" as a number, or leave it out.');
	if (file !== undefined && typeof file !== 'string') throw new Error('Give "file" as a string, or leave it out.');
	const lines = report.lines
		.filter((line) => (file === undefined || endsWithPath(line.file, file)) && (wanted ?? line.class) === line.class)
		.sort(compareWall);
	if (lines.length === 0) {
		throw new Error(
			report.lines.length === 0
				? 'The program has not started any asynchronous operation yet. Ask again when it has run for a while.'
				: `None of the ${report.lines.length} lines matches. Call the tool without "file" and "class" to see all.`,
		);
	}
	const shown = lines.slice(0, Math.min(MOST_LINES, Math.max(1, Math.trunc(limit ?? LINES))));
	return {
		...session,
		lines: shown.map((line) => ({ ...summaryOf(line), ...(isEdited(line) && EDITED) })),
		more: lines.length - shown.length,
	};
}

/** @throws a sentence for the model */
export function lineDetail(profiled: Profiled | undefined, { file, line }: Partial<LineInput>): object {
	const { report, isEdited, ...session } = needed(profiled);
	if (typeof file !== 'string' || file === '') {
		throw new Error('Give "file": an absolute path, or the end of one. The hot lines tool names the files.');
	}
	if (!Number.isInteger(line)) {
		throw new Error('Give "line" as a whole number, 1 for the first line. The hot lines tool names the lines.');
	}
	const files = [...factsByFile(report)].filter(([path]) => endsWithPath(path, file));
	if (files.length === 0) {
		throw new Error(
			`No line of "${file}" waited or blocked the event loop. The hot lines tool names the files that the profile knows.`,
		);
	}
	if (files.length > 1) {
		throw new Error(`"${file}" matches several paths: ${files.map(([path]) => path).join(', ')}. Give the whole path.`);
	}
	const [path, lines] = files[0]!;
	const facts = lines.get(line!);
	if (facts === undefined) {
		const known = [...lines.keys()].sort((a, b) => a - b).slice(0, MOST_LINES);
		throw new Error(`Line ${line} of ${path} waited for nothing. Lines with figures: ${known.join(', ')}.`);
	}
	return {
		...session,
		file: path,
		line,
		...(isEdited({ file: path, line: line! }) && EDITED),
		operations: facts.entries.map(entryOf),
		blocks: facts.blocks,
		warnings: facts.warnings.map(({ message }) => message),
		findings: eachFinding(report.findings).filter((finding) => finding.file === path && finding.line === line),
	};
}

/** @throws a sentence for the model */
export function findings(profiled: Profiled | undefined): object {
	const { name, live, report } = needed(profiled);
	const { processes, pools, loops, warnings } = report;
	return {
		name,
		live,
		findings: report.findings,
		warnings: warnings.map(({ message }) => message),
		processes: processes.map(({ pid, threadId, node, platform, poolSize, durationMs, end }) => ({
			pid,
			threadId,
			node,
			platform,
			poolSize,
			durationMs,
			end,
		})),
		pools,
		loops: loops.map(({ pid, threadId, utilization, delay, gc }) => ({ pid, threadId, utilization, delay, gc })),
	};
}

function needed(profiled: Profiled | undefined): Profiled {
	if (profiled !== undefined) return profiled;
	throw new Error(
		'Nothing has been profiled yet. Ask the person to run the command "Waitline: Debug with Async Profile", or to open a recording.',
	);
}

function entryOf(line: Line): object {
	return {
		...line,
		wait: figuresOf(line.wait),
		queue: figuresOf(line.queue),
		execute: figuresOf(line.execute),
		lag: figuresOf(line.lag),
		run: figuresOf(line.run),
	};
}

/** A line without what only one line's detail is for. */
function summaryOf(line: Line): object {
	const { histogram, typical, callers, libraries, ...summary } = line;
	return entryOf({ ...summary } as Line);
}

/** An unknown part has no figures but what it takes at least, so that no model takes them for true. */
function figuresOf(split: Split | null): object | null {
	return split?.basis === 'unknown' ? { basis: split.basis, atLeast: split.atLeast } : split;
}
