// Messages between the extension host and the panel. One union per direction; the host issues every file id, so that
// the panel can only name files that it was shown.
import type { Comparison, Verdict } from './comparison.ts';
import type { Overview, TimeLimit } from './overview.ts';
import type { Reduction } from './reduction.ts';
import type { End, OperationClass, Report, Severity, Warning } from './report.ts';
import type { ReportChanges } from './report-changes.ts';
import type { Timeline, TimelineQuery } from './timeline.ts';
import { formatMs } from './units.ts';
import type { WhatIfReport } from './what-if.ts';

/** A file of the report, as the host issued it. */
export interface ViewFile {
	id: number;
	/** Absolute path as in the report's lines. */
	path: string;
	/** Short name to show (relative to the workspace where possible), without invisible characters. */
	label: string;
}

/** One source file's text for the annotated-source view. */
export interface ViewSource {
	fileId: number;
	/** Lines without their terminators; empty when `error` is set. */
	lines: string[];
	/** Why the text cannot be shown, in the user's language, or null. */
	error: string | null;
	/** A remark about the text, in the user's language, or null. */
	note: string | null;
}

/** What a session is doing. `stopped`: the person ended its profile while the program ran. */
export type SessionState = 'live' | 'paused' | 'ended' | 'stopped' | 'recording';

export type SessionAction = 'save' | 'switch';

/** Everything the panel draws. */
export interface ViewState {
	sessionName: string;
	live: boolean;
	session: SessionState;
	/** When the session began, in the user's language; empty where that is unknown. */
	date: string;
	/** What the person can do with it from here. */
	actions: readonly SessionAction[];
	/** The stretch of time that the report is of; null for all of the session. */
	limit: TimeLimit | null;
	report: Report;
	files: ViewFile[];
	/** The report's findings in words, in its order. */
	findings: ViewFinding[];
}

/** The same on its way: of the report only what the view does not have yet. */
export interface SentState extends Omit<ViewState, 'report'> {
	changes: ReportChanges;
}

/** A finding in the user's language. */
export interface ViewFinding {
	title: string;
	evidence: string;
	weight: string;
	explanation: string;
	severity: Severity;
	/** Where it belongs; null where there is no line. */
	at: { fileId: number; line: number } | null;
	/** When it can be seen on the timeline; null where that is not known. */
	when: ThreadTime | null;
	/** What would fix it, as the words of a button; null where no fix is certain. */
	fix: string | null;
	/** What else has the same cause. */
	effects: ViewFinding[];
}

/** A stretch of one thread's time, in ms since the start of its journal. */
export interface ThreadTime {
	pid: number;
	threadId: number;
	fromMs: number;
	toMs: number;
}

/** A few lines of a file around one that a finding is about. */
export interface Excerpt {
	fileId: number;
	/** The line that it is about, 1-based. */
	line: number;
	/** The number of the first of `lines`. */
	first: number;
	lines: string[];
}

/** Texts that annotations, hovers and the panel share. `{0}` marks where a value goes (see `fill`). */
export type ViewStringKey =
	| 'tabLines'
	| 'tabSource'
	| 'tabTimeline'
	| 'tabFindings'
	| 'tabRequests'
	| 'noRequests'
	| 'tabWhatIf'
	| 'whatIfThreads'
	| 'whatIfCores'
	| 'whatIfLine'
	| 'whatIfNoLine'
	| 'whatIfPercent'
	| 'whatIfReplay'
	| 'whatIfRunning'
	| 'whatIfHelp'
	| 'whatIfNone'
	| 'whatIfRecorded'
	| 'whatIfReplayed'
	| 'whatIfLeft'
	| 'whatIfAsRecorded'
	| 'whatIfLines'
	| 'whatIfLast'
	| 'whatIfCoresUnknown'
	| 'tabCompare'
	| 'compareChoose'
	| 'compareHelp'
	| 'compareBasis'
	| 'compareBasisRuns'
	| 'compareWas'
	| 'columnChange'
	| 'columnCost'
	| `verdict.${Verdict}`
	| 'columnTypical'
	| 'response'
	| 'typicalRequest'
	| 'closedEarly'
	| 'unanswered'
	| 'oldest'
	| 'stepWait'
	| 'stepBlocked'
	| 'stepBlockedElsewhere'
	| 'stepArrival'
	| 'stepRun'
	| 'stepUnknown'
	| 'noFindings'
	| 'showOnTimeline'
	| 'zoomIn'
	| 'zoomOut'
	| 'showAll'
	| 'timelineHelp'
	| 'timelineHint'
	| 'startedAt'
	| 'measured'
	| 'aboutOperation'
	| 'jumpToLive'
	| 'foldLanes'
	| 'unfoldLanes'
	| 'pinLane'
	| 'unpinLane'
	| 'unknownCode'
	| 'blockedFor'
	| 'noProcessor'
	| 'ranFor'
	| 'collectedFor'
	| 'requestTook'
	| 'requestOpen'
	| 'jobOf'
	| 'stillOpen'
	| 'waitedBehind'
	| 'waitedBehindAbout'
	| 'waitedForAnswer'
	| 'delayedBy'
	| 'startedBy'
	| 'startedOthers'
	| 'sameRequest'
	| 'busyHere'
	| 'queuedHere'
	| 'atOnceHere'
	| 'longestHere'
	| 'finishedHere'
	| 'shownTime'
	| 'timelineSums'
	| `lane.${'loop' | 'queue' | 'poolThread' | 'kernel' | 'connection' | 'dns' | 'timers' | 'strip'}`
	| `section.${'pool' | 'waiting' | 'lines'}`
	| `gap.${'sampled' | 'rested' | 'lost' | 'stopped'}`
	| 'columnLocation'
	| 'columnOperation'
	| 'columnClass'
	| 'columnCount'
	| 'columnPending'
	| 'columnRate'
	| 'columnShare'
	| 'columnTrend'
	| 'overviewHelp'
	| 'overviewHint'
	| 'brushed'
	| 'columnWall'
	| 'columnAtOnce'
	| 'columnTotalWait'
	| 'columnTotalRun'
	| 'columnWait'
	| 'columnQueue'
	| 'columnExecute'
	| 'columnLag'
	| 'columnRun'
	| 'columnSource'
	| 'columnTotal'
	| 'columnMedian'
	| 'columnP95'
	| 'columnMax'
	| 'empty'
	| 'noSession'
	| 'process'
	| 'worker'
	| 'pool'
	| 'saturated'
	| 'loop'
	| 'blocks'
	| 'facts'
	| 'durationHelp'
	| 'loopBusyHelp'
	| 'poolBusy'
	| 'poolBusyHelp'
	| 'overheadWithin'
	| 'overheadReached'
	| 'overheadHelp'
	| 'pauseView'
	| 'continueView'
	| 'pauseViewHelp'
	| 'save'
	| 'switch'
	| `session.${SessionState}`
	| 'lossNotice'
	| 'untraced'
	| 'verifiedLess'
	| 'sampled'
	| 'rested'
	| 'openInEditor'
	| 'showInSource'
	| 'chooseFile'
	| 'filter'
	| 'filter.key'
	| 'filter.time'
	| 'filter.number'
	| 'filter.quote'
	| 'filteredRows'
	| 'rowCount'
	| 'groupBy'
	| 'groupNone'
	| 'groupPackage'
	| 'ownCode'
	| 'columns'
	| 'detailsOf'
	| 'noDetails'
	| 'histogram'
	| 'calledFrom'
	| 'mainScript'
	| 'through'
	| 'requestParts'
	| 'requestDuration'
	| 'stepBlockedAt'
	| 'wait'
	| 'queue'
	| 'execute'
	| 'lag'
	| 'run'
	| 'late'
	| 'underWay'
	| 'atOnce'
	| 'totalWait'
	| 'totalRun'
	| 'pending'
	| 'edited'
	| 'blocked'
	| 'blockedDelaying'
	| 'blockedAfter'
	| 'blockedAfterDelaying'
	| 'estimated'
	| 'unknown'
	| `class.${OperationClass}`
	| `end.${End}`
	| `warning.${Warning['code']}`;

/** The texts in the user's language; the host translates them. */
export type ViewStrings = Record<ViewStringKey, string>;

/** Puts values into a text's `{0}`, `{1}`…; they are data and stay text. */
export function fill(text: string, ...values: (string | number)[]): string {
	return text.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
}

/** The sentence about what the tracer left out to stay within its budget. */
export function reductionText(reduction: Reduction, words: ViewStrings): string {
	const { startMs, costPercent, isSampled, recordedPercent } = reduction;
	if (recordedPercent !== null) return fill(words.rested, costPercent.toFixed(1), recordedPercent);
	return fill(isSampled ? words.sampled : words.verifiedLess, costPercent.toFixed(1), formatMs(startMs));
}

/** What the panel reports as drawn once it is asked, so that tests can compare the drawing with the report. */
export interface Drawn {
	/** Texts of the header, one per fact, top to bottom. */
	header: string[];
	/** Notices and warnings, top to bottom. */
	notices: string[];
	tab: 'lines' | 'requests' | 'source' | 'timeline' | 'findings' | 'whatIf' | 'compare';
	sort: { column: string; descending: boolean };
	/** Texts of the table's cells, row by row, in the order of `columns`. */
	rows: string[][];
	columns: string[];
	source: {
		fileId: number;
		/** 1-based line that was revealed last, or null. */
		revealed: number | null;
		/** Lines of text shown. */
		lineCount: number;
		annotations: { line: number; text: string }[];
		error: string | null;
		note: string | null;
	} | null;
	/** Texts of the cells of the table of requests, row by row. */
	requests: string[][];
	/** Texts of the cells of the tables of both, row by row. */
	whatIf: string[][];
	comparison: string[][];
	/** The stretch of time to which the tabs are limited, in ms since the recording began; null for all of it. */
	brush: { fromMs: number; toMs: number } | null;
	/** Title, evidence and explanation of each finding, top to bottom. */
	findings: string[][];
	timeline: {
		/** The stretch that is shown, in ms since the recording began. */
		fromMs: number;
		toMs: number;
		/** Top to bottom. */
		lanes: { kind: string; label: string; operations: number }[];
		/** The text about the selected operation, and those about why it waited. */
		selected: string | null;
		causes: string[];
	} | null;
}

export type HostToView =
	| { type: 'strings'; strings: ViewStrings }
	/** `null`: there is no session to show. */
	| { type: 'state'; state: SentState | null }
	/** A part of the JSON of another message, which is too large for one. */
	| { type: 'piece'; text: string; isLast: boolean }
	/** There is nothing to show; `text` is the reason. */
	| { type: 'failure'; text: string }
	| { type: 'source'; source: ViewSource }
	/** The code that findings are about, after a `state` with other findings. */
	| { type: 'excerpts'; excerpts: Excerpt[] }
	/** After a `state` of another session, and now and then while it goes on. */
	| { type: 'overview'; overview: Overview }
	/** Answers `timeline` under the same number; null where it is no longer available. */
	| { type: 'timeline'; id: number; timeline: Timeline | null }
	/** What was asked for is over: the next `state` says to what the session is limited, which others may have changed since. */
	| { type: 'limitTaken'; range: TimeLimit | null }
	/** The stretch that was asked for cannot be read: the session is as it was. */
	| { type: 'limitRefused' }
	/** The answer to a question; `problem`: why there is none, in the user's language. */
	| { type: 'whatIf'; report: WhatIfReport | null; problem: string | null }
	/** `text`: with what it was compared, or why it could not be, in the user's language. */
	| { type: 'comparison'; comparison: Comparison | null; text: string }
	/** Show a line (the editor's half of the jump); `switchTab` when the person asked for it, not the cursor alone. */
	| { type: 'reveal'; fileId: number; line: number; switchTab: boolean }
	/** Report what is drawn, now and after each change. */
	| { type: 'reportDrawn' };

export type ViewToHost =
	| { type: 'ready' }
	| { type: 'requestSource'; fileId: number }
	| { type: 'openLine'; fileId: number; line: number }
	/** A stretch of the timeline of the session that is shown. */
	| { type: 'timeline'; id: number; query: TimelineQuery }
	/** Save the session that is shown, or choose another. */
	| { type: 'session'; action: SessionAction }
	/** Replay the session with a pool of several sizes; `percent`: by how much the line's jobs take longer, at least -100. */
	| { type: 'whatIf'; cores: number | null; line: { fileId: number; line: number; percent: number } | null }
	/** Limit the session, in the editor too, to a stretch of its time; null for all of it. */
	| { type: 'limit'; range: TimeLimit | null }
	/** Ask with which sessions this one is compared, and compare it. */
	| { type: 'compare' }
	/** Do what the fix of a finding promises. */
	| { type: 'fix' }
	/** Only after `reportDrawn`. */
	| { type: 'drawn'; drawn: Drawn };
