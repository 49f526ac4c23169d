// A session that was read from a recording, once: its report never changes.
import * as vscode from 'vscode';
import type { ReadRecording } from '../../host/recording-thread.ts';
import type { Overview } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import { LimitedSession } from './limited-session.ts';

export class ReadSession implements vscode.Disposable {
	readonly live = false;
	cleared = false;
	readonly #read: ReadRecording;

	readonly #changed = new vscode.EventEmitter<void>();
	readonly limited = new LimitedSession(
		(range) => this.#read.part(range),
		() => this.#changed.fire(),
	);

	/** The file was read as it was: another stretch of its time is shown. */
	readonly onDidChange = this.#changed.event;

	constructor(read: ReadRecording) {
		this.#read = read;
	}

	get sources(): ReadonlyMap<string, string> {
		return this.#read.sources;
	}

	report(): Report {
		return this.limited.report ?? this.#read.report;
	}

	async overview(): Promise<Overview> {
		return this.#read.overview;
	}

	timeline(query: TimelineQuery): Promise<Timeline> {
		return this.#read.timeline(query);
	}

	dispose(): void {
		this.#changed.dispose();
		void this.#read.close();
	}
}
