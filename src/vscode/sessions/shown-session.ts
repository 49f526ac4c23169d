// What the views can show: a profiled debug session, under way or kept, or a recording that was opened from a file.
import type * as vscode from 'vscode';
import type { ProcessNow } from '../../host/live-session.ts';
import type { Overview } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';
import type { Timeline } from '../../protocol/timeline.ts';
import type { SessionState } from '../../protocol/webview.ts';

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
	/** What people are told of it. */
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
	/** What is known so far; the same object until something new came. */
	report(): Report;
	/** All of the session in a few rows, about as of the report. @throws when it is no longer available */
	overview(): Promise<Overview>;
	/** The last operations one by one, about as of the report. @throws when they are no longer available */
	timeline(): Promise<Timeline>;
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
