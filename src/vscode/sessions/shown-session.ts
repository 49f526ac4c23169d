// What the views can show: a profiled debug session, under way or kept, or a recording that was opened from a file.
import type * as vscode from 'vscode';
import type { ProcessNow } from '../../host/sessions/live-session.ts';
import type { Overview } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import type { SessionState } from '../../protocol/webview.ts';
import type { LimitedSession } from './limited-session.ts';

/** The launch configuration that a debug session came from. */
export interface LaunchOrigin {
	folder: vscode.WorkspaceFolder | undefined;
	/** Its name. */
	configuration: string;
}

export interface ShownSession {
	/** The name that people see. */
	readonly name: string;
	/** Whether its program is still followed. */
	readonly live: boolean;
	/** What people are shown of it. */
	readonly state: SessionState;
	/** When it began to be followed; null when that is no longer known. */
	readonly startedAt: Date | null;
	/** When it ended; null while it goes on, and when that is unknown. */
	readonly endedAt: Date | null;
	/** Where the recording was opened from; undefined for a debug session. */
	readonly file?: vscode.Uri;
	/** Undefined for a recording. */
	readonly origin?: LaunchOrigin;
	/** What its processes are doing; undefined for a recording, whose processes are gone. */
	now?(): readonly ProcessNow[];
	/** Whether the person removed its annotations. */
	cleared: boolean;
	/** The stretch of its time to which its report is limited. */
	readonly limited: LimitedSession;
	/** What is known so far, or of the stretch to which it is limited; the same object until something new came. */
	report(): Report;
	/** All of the session in a few rows, about as of the report. @throws when it is no longer available */
	overview(): Promise<Overview>;
	/** A stretch of the session; where it is short, one by one. @throws when it is no longer available */
	timeline(query: TimelineQuery): Promise<Timeline>;
	/** The report or the state changed. */
	readonly onDidChange: vscode.Event<void>;
	/** Texts that ran, by path, where the session provides them, as a recording does. */
	readonly sources?: ReadonlyMap<string, string>;
	/**
	 * Writes the recording.
	 * @param ran the lines of a file as they ran, where they are known
	 * @throws the file system's errors
	 */
	save(file: vscode.Uri, ran: (file: string) => readonly string[] | undefined): Promise<void>;
}

/** A debug session, under way or ended: its records are in a folder of ours. */
export interface OwnedSession extends ShownSession {
	readonly folder: string;
	/** Ends it, and leaves its records to the next window. @throws the file system's errors */
	keep(ran: (file: string) => readonly string[] | undefined): Promise<void>;
	/** Ends it, and removes its records. */
	close(): Promise<void>;
}

/** Any other is a recording. */
export function isOwned(session: ShownSession): session is OwnedSession {
	return session.file === undefined;
}
