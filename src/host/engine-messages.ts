// The messages between the extension host and the thread with the engine (engine-thread.ts).

import type { Overview } from '../protocol/overview.ts';
import type { Report } from '../protocol/report.ts';
import type { Timeline } from '../protocol/timeline.ts';
import type { LiveSessionOptions, ProcessNow } from './live-session.ts';
import type { NotARecording } from './recording-file.ts';
import type { ReportChanges } from './report-changes.ts';
import type { SessionNotes } from './session-notes.ts';

/** What a thread is started for. */
export type Task = ({ kind: 'session' } & LiveSessionOptions) | ({ kind: 'recording' } & RecordingTask);

/** A recording to be read. */
export interface RecordingTask {
	/** Of the file. */
	bytes: Uint8Array;
	/** The file's name, for sentences. */
	name: string;
	/** Absolute paths: files that the recording names and does not contain are read below these only. */
	folders: readonly string[];
}

/** What a session can be asked for, and the type of each answer. */
export interface Answers {
	/** Of everything read by then. */
	timeline: Timeline;
	/** As of the report. */
	overview: Overview;
	notes: SessionNotes;
	handOver: undefined;
	/** After the last update. */
	stop: { timeline: Timeline; overview: Overview; notes: SessionNotes };
}

export type Question = keyof Answers;

/** To the thread of a session. */
export type ToSession =
	/** `at` in µs of hrtime. */
	| { type: 'pause' | 'resume' | 'stacksOn' | 'stacksOff'; pid: number; at: number }
	/** `own`: the journals that stay the session's, for `handOver`. */
	| { type: 'ask'; id: number; question: Question; own?: readonly string[] };

/** From the thread of a session. */
export type FromSession =
	/** `changes`: null when the report is still the same. */
	| { type: 'update'; changes: ReportChanges | null; now: ProcessNow[] }
	| { type: 'answer'; id: number; answer: Answers[Question] }
	/** `code`, `path`: as in errors of the file system. */
	| { type: 'refusal'; id: number; message: string; code?: string; path?: string };

/** From the thread that reads a recording, once. */
export type FromRecording =
	| { type: 'read'; report: Report; timeline: Timeline; overview: Overview; sources: Map<string, string> }
	| { type: 'refusal'; reason: NotARecording['reason']; message: string };
