// After a reload, and when its folder is opened again within a day, a window shows what the one before it has shown. The workspace remembers which session
// that was; it is written down while the window lives, since nothing that is sent to VS Code while the window closes is certain to arrive.
import path from 'node:path';
import type * as vscode from 'vscode';
import { claimKept } from '../../host/sessions/kept-session.ts';
import type { Log } from '../common/log.ts';
import { RestoredSession } from './restored-session.ts';
import type { Sessions } from './sessions.ts';

/** The name of the session's folder. */
const SHOWN = 'shownSession';

/** Where sessions have their folders. */
export interface SessionStorage {
	readonly folder: string;
	/** Removes what nobody wants any more. */
	clean(): Promise<void>;
}

/** @param memory of the workspace */
export function restoreShown(
	sessions: Sessions,
	memory: vscode.Memento,
	storage: SessionStorage,
	log: Log,
): vscode.Disposable {
	const before = memory.get<string>(SHOWN);
	if (before !== undefined) void restore(before, sessions, storage, log);
	let remembered = before;
	return sessions.onDidChange(() => {
		const shown = sessions.shownDebugged;
		if (shown === undefined || path.basename(shown.folder) === remembered) return;
		remembered = path.basename(shown.folder);
		void memory.update(SHOWN, remembered);
	});
}

async function restore(name: string, sessions: Sessions, storage: SessionStorage, log: Log): Promise<void> {
	try {
		const claimed = await claimKept(storage.folder, name);
		if (claimed !== null) sessions.restore(await RestoredSession.of(claimed, log));
	} catch (error) {
		log.error(error as Error);
	}
	await storage.clean();
}
