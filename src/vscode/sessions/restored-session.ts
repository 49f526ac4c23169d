// A debug session that a window before this one has shown (src/host/sessions/kept-session.ts): it has ended, and is kept again when this window closes.
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type ReadRecording, readInThread } from '../../host/engine-thread/recording-thread.ts';
import { type ClaimedSession, keepAgain } from '../../host/sessions/kept-session.ts';
import { ENGINE_THREAD } from '../common/engine-thread-file.ts';
import type { Log } from '../common/log.ts';
import { ReadSession } from './read-session.ts';
import type { LaunchOrigin, OwnedSession } from './shown-session.ts';

export class RestoredSession extends ReadSession implements OwnedSession {
	readonly name: string;
	readonly state: 'ended' | 'stopped';
	readonly startedAt: Date | null;
	readonly endedAt: Date | null;
	readonly origin?: LaunchOrigin;
	readonly folder: string;
	readonly #claimed: ClaimedSession;
	readonly #log: Log;

	private constructor(claimed: ClaimedSession, read: ReadRecording, log: Log) {
		super(read);
		const { name, startedAt, endedAt, isStopped, isCleared, origin, folder } = claimed;
		this.name = name;
		this.state = isStopped ? 'stopped' : 'ended';
		this.startedAt = startedAt === null ? null : new Date(startedAt);
		this.endedAt = endedAt === null ? null : new Date(endedAt);
		this.cleared = isCleared;
		this.folder = folder;
		this.#claimed = claimed;
		this.#log = log;
		if (origin !== null) this.origin = { folder: folderOf(origin.folder), configuration: origin.configuration };
	}

	/** @throws what reading a recording throws; then nothing is left of it */
	static async of(claimed: ClaimedSession, log: Log): Promise<RestoredSession> {
		try {
			const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(claimed.recording));
			const task = { bytes, name: claimed.name, folders: null };
			return new RestoredSession(claimed, await readInThread(task, ENGINE_THREAD, new AbortController().signal), log);
		} catch (error) {
			await rm(claimed.folder, { recursive: true, force: true });
			throw error;
		}
	}

	async save(file: vscode.Uri): Promise<void> {
		await vscode.workspace.fs.copy(vscode.Uri.file(this.#claimed.recording), file, { overwrite: true });
	}

	async keep(): Promise<void> {
		await keepAgain({ ...this.#claimed, isCleared: this.cleared });
		this.dispose();
	}

	async close(): Promise<void> {
		this.dispose();
		try {
			await rm(this.folder, { recursive: true, force: true });
		} catch (error) {
			this.#log.error(error as Error);
		}
	}
}

/** A folder of the workspace, which may have others by now. */
function folderOf(uri: string | null): vscode.WorkspaceFolder | undefined {
	return vscode.workspace.workspaceFolders?.find((folder) => folder.uri.toString() === uri);
}
