// The messages between the extension host and the thread with the engine (engine-thread.ts).

import type { Comparison } from '../../protocol/comparison.ts';
import type { Overview, TimeLimit } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';
import type { ReportChanges } from '../../protocol/report-changes.ts';
import type { CarriedSummary } from '../../protocol/summary.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import type { WhatIfQuestion, WhatIfReport } from '../../protocol/what-if.ts';
import type { NotARecording } from '../recordings/recording-file.ts';
import type { SessionNotes } from '../recordings/session-notes.ts';
import type { LiveSessionOptions, ProcessNow } from '../sessions/live-session.ts';

/** What a thread is started for. */
export type Task =
	| ({ kind: 'session' } & LiveSessionOptions)
	| ({ kind: 'recording' } & RecordingTask)
	| ({ kind: 'replay' } & RecordingTask)
	| { kind: 'comparison'; before: readonly RecordingTask[]; after: RecordingTask };

/** A recording to be read. */
export interface RecordingTask {
	/** Of the file. */
	bytes: Uint8Array;
	/** The file's name, for sentences. */
	name: string;
	/**
	 * Absolute paths: files that the recording names and does not contain are read below these only. Null for one that was
	 * made of a session of this person's own: any may be read.
	 */
	folders: readonly string[] | null;
	/** Not 0 when its journals need not be read to the end: whoever reads them sees nothing else until then. */
	cancel?: Int32Array;
}

/** What a session can be asked for, and the type of each answer. */
export interface Answers {
	/** Of everything read by then; after `stop` too. */
	timeline: Timeline;
	/** The report of what ended in a stretch; after `stop` too. */
	part: Report;
	/** As of the report. */
	overview: Overview;
	notes: SessionNotes;
	handOver: undefined;
	/** For a recording; null where its journals may say more or less. */
	summary: CarriedSummary | null;
	/** After the last update. */
	stop: { overview: Overview; notes: SessionNotes };
}

export type Question = keyof Answers;

/** What is sent with each question. */
export interface Questions extends Record<Question, unknown[]> {
	timeline: [TimelineQuery];
	part: [TimeLimit];
	overview: [];
	notes: [];
	/** The journals that stay the session's. */
	handOver: [readonly string[]];
	stop: [];
	summary: [];
}

/** To the thread of a session. */
export type ToSession =
	/** `at` in µs of hrtime. */
	| { type: 'pause' | 'resume' | 'stacksOn' | 'stacksOff'; pid: number; at: number }
	| { type: 'endByPerson' }
	| { type: 'ask'; id: number; question: Question; about: unknown[] };

/** From the thread of a session. */
export type FromSession =
	/** `changes`: null when the report is still the same. */
	| { type: 'update'; changes: ReportChanges | null; now: ProcessNow[] }
	| { type: 'answer'; id: number; answer: Answers[Question] }
	/** `code`, `path`: as in errors of the file system. */
	| { type: 'refusal'; id: number; message: string; code?: string; path?: string };

/** From the thread that reads a recording: first one of these, ... */
export type FromRecording =
	| { type: 'read'; report: Report; overview: Overview; beganAt: number | null; sources: Map<string, string> }
	| { type: 'refusal'; reason: NotARecording['reason']; message: string }
	/** ... and then answers to `ToRecording`. */
	| { type: 'timeline'; id: number; timeline: Timeline }
	/** While journals are read: how much of them, from 0 to 1; 1 also when reading has ended otherwise. */
	| { type: 'progress'; share: number }
	| { type: 'part'; id: number; report: Report }
	/** `isStopped`: because nobody waited for it. */
	| { type: 'failure'; id: number; message: string; isStopped: boolean };

/** To the thread that has read a recording. */
export type ToRecording =
	| { id: number; question: 'timeline'; query: TimelineQuery }
	| { id: number; question: 'part'; range: TimeLimit };

/** To the thread that replays a recording. */
export interface ToReplay {
	type: 'predict';
	question: WhatIfQuestion;
}

/** From that thread, once for each question, and from the one that compares recordings, once. */
export type FromReplay =
	| { type: 'predicted'; report: WhatIfReport }
	| { type: 'compared'; comparison: Comparison }
	/** A sentence for the log. */
	| { type: 'refusal'; message: string };
