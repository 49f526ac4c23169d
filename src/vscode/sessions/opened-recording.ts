// A recording that was opened from a file, as a session that can be shown. It is read once and never changes.
import path from 'node:path';
import * as vscode from 'vscode';
import { type ReadRecording, readInThread } from '../../host/engine-thread/recording-thread.ts';
import { NotARecording } from '../../host/recordings/recording-file.ts';
import { ENGINE_THREAD } from '../common/engine-thread-file.ts';
import { reasonOf } from '../common/reason.ts';
import { ReadSession } from './read-session.ts';
import { workspacePaths } from './session-texts.ts';
import type { ShownSession } from './shown-session.ts';

export class OpenedRecording extends ReadSession implements ShownSession {
	readonly name: string;
	readonly state = 'recording';
	readonly startedAt: Date | null;
	readonly endedAt = null;
	readonly file: vscode.Uri;

	private constructor(file: vscode.Uri, read: ReadRecording) {
		super(read);
		this.file = file;
		this.name = path.posix.basename(file.path);
		const { beganAt } = read;
		this.startedAt = beganAt === null ? null : new Date(beganAt);
	}

	/**
	 * @param token stops reading
	 * @throws Error whose message is a sentence for the person, CancellationError
	 */
	static async open(file: vscode.Uri, token: vscode.CancellationToken): Promise<OpenedRecording> {
		let bytes: Uint8Array;
		try {
			bytes = await vscode.workspace.fs.readFile(file);
		} catch (error) {
			throw unreadable(error);
		}
		try {
			const task = { bytes, name: file.path, folders: workspacePaths() };
			return new OpenedRecording(file, await readInThread(task, ENGINE_THREAD, signalOf(token)));
		} catch (error) {
			if (error instanceof vscode.CancellationError) throw error;
			if (!(error instanceof NotARecording)) throw unreadable(error);
			throw new Error(sentenceOf(error.reason));
		}
	}

	save(file: vscode.Uri): Promise<void> {
		return Promise.resolve(vscode.workspace.fs.copy(this.file, file, { overwrite: true }));
	}
}

function sentenceOf(reason: NotARecording['reason']): string {
	switch (reason) {
		case 'damaged':
			return vscode.l10n.t('This recording is damaged at its beginning and cannot be read. Record it again.');
		case 'oversized':
			return vscode.l10n.t(
				'This recording is not read: it claims to unpack to far more than any that Waitline writes.',
			);
		default:
			return vscode.l10n.t(
				'This file is not a Waitline recording. Open one that “Waitline: Save Recording…” or “waitline run --out” has written.',
			);
	}
}

function unreadable(error: unknown): Error {
	return new Error(vscode.l10n.t('This file cannot be read. {0}', reasonOf(error)));
}

/** Converts VS Code's form of cancellation to the web's. */
function signalOf(token: vscode.CancellationToken): AbortSignal {
	const controller = new AbortController();
	token.onCancellationRequested(() => controller.abort(new vscode.CancellationError()));
	if (token.isCancellationRequested) controller.abort(new vscode.CancellationError());
	return controller.signal;
}
