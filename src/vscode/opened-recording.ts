// A recording that was opened from a file, as a session that can be shown. It is read once and changes no more.
import * as vscode from 'vscode';
import { type Recorded, recordedIn } from '../host/recorded.ts';
import { NotARecording, parseRecording } from '../host/recording-file.ts';
import type { Report } from '../protocol/report.ts';
import type { Timeline } from '../protocol/timeline.ts';
import type { ShownSession } from './shown-session.ts';

export class OpenedRecording implements ShownSession {
	readonly name: string;
	readonly live = false;
	readonly startedAt = null;
	readonly endedAt = null;
	readonly file: vscode.Uri;
	cleared = false;
	readonly #recorded: Recorded;
	readonly #report: Report;

	/** Never: the file was read as it was. */
	readonly onDidChange = new vscode.EventEmitter<void>().event;

	private constructor(file: vscode.Uri, recorded: Recorded, report: Report) {
		this.file = file;
		this.name = file.path.slice(file.path.lastIndexOf('/') + 1);
		this.#recorded = recorded;
		this.#report = report;
	}

	/** @throws Error whose message is a sentence for the person */
	static async open(file: vscode.Uri): Promise<OpenedRecording> {
		let bytes: Uint8Array;
		try {
			bytes = await vscode.workspace.fs.readFile(file);
		} catch (error) {
			throw new Error(vscode.l10n.t('This file cannot be read. {0}', plain(error)));
		}
		try {
			const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
			const recorded = recordedIn(parseRecording(whole, file.path));
			return new OpenedRecording(file, recorded, await recorded.report());
		} catch (error) {
			if (!(error instanceof NotARecording)) throw error;
			throw new Error(
				error.reason === 'damaged'
					? vscode.l10n.t('This recording is damaged at its beginning; nothing of it can be read. Record it again.')
					: vscode.l10n.t(
							'This file is no Waitline recording. Open one that “Waitline: Save Recording…” or “waitline run --out” has written.',
						),
			);
		}
	}

	report(): Report {
		return this.#report;
	}

	timeline(): Timeline {
		return this.#recorded.timeline();
	}

	save(file: vscode.Uri): Promise<void> {
		return Promise.resolve(vscode.workspace.fs.copy(this.file, file, { overwrite: true }));
	}
}

function plain(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
