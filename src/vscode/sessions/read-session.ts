// A session that was read from a recording, once: its report never changes.
import * as vscode from 'vscode';
import type { ReadRecording } from '../../host/engine-thread/recording-thread.ts';
import type { Overview } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import { LimitedSession } from './limited-session.ts';

export class ReadSession implements vscode.Disposable {
	readonly live = false;
	cleared = false;
	readonly #read: ReadRecording;
	/** While its journals are read, for something that its summary does not have. */
	#reading: { report(share: number): void; end(): void } | undefined;

	readonly #changed = new vscode.EventEmitter<void>();
	readonly limited = new LimitedSession(
		(range) => this.#read.part(range),
		() => this.#changed.fire(),
	);

	/** The file was read as it was: another stretch of its time is shown. */
	readonly onDidChange = this.#changed.event;

	constructor(read: ReadRecording) {
		this.#read = read;
		read.onProgress((share) => this.#showProgress(share));
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

	/** @param share how much of the journals was read, from 0 to 1 */
	#showProgress(share: number): void {
		if (share >= 1) {
			this.#endProgress();
			return;
		}
		if (this.#reading === undefined) {
			const ended = new Promise<void>((resolve) => {
				this.#reading = { report: () => undefined, end: resolve };
			});
			const { Notification: location } = vscode.ProgressLocation;
			const title = vscode.l10n.t('Reading each operation of the recording…');
			let shown = 0;
			void vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
				token.onCancellationRequested(() => this.#read.stopReading());
				if (this.#reading !== undefined) {
					this.#reading.report = (now) => {
						progress.report({ increment: 100 * (now - shown) });
						shown = now;
					};
				}
				return ended;
			});
		}
		this.#reading?.report(share);
	}

	#endProgress(): void {
		this.#reading?.end();
		this.#reading = undefined;
	}

	dispose(): void {
		this.#endProgress();
		this.#changed.dispose();
		void this.#read.close();
	}
}
