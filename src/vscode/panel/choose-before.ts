// Asks with which sessions, or recordings, the one that is shown is compared.
import path from 'node:path';
import * as vscode from 'vscode';
import type { Sessions } from '../sessions/sessions.ts';
import type { ShownSession } from '../sessions/shown-session.ts';
import { itemOf } from '../sessions/switch-session.ts';
import { chooseRecordings } from './recording-files.ts';

/** One session of before a change, or several runs of the same program. */
export interface Before {
	all: (ShownSession | vscode.Uri)[];
	names: string[];
}

/** Undefined when nothing was chosen. */
export async function chooseBefore(sessions: Sessions, shown: ShownSession): Promise<Before | undefined> {
	const others = sessions.all.filter((session) => session !== shown).map((session) => itemOf(session, false));
	const files = { label: `$(folder-opened) ${vscode.l10n.t('Recordings…')}`, session: undefined };
	const picked =
		others.length === 0
			? [files]
			: await vscode.window.showQuickPick([...others, files], {
					placeHolder: vscode.l10n.t(
						'Compare with which runs? Several of them show how much lines vary by themselves.',
					),
					canPickMany: true,
				});
	if (picked === undefined || picked.length === 0) return undefined;
	const chosen = picked.flatMap(({ session }) => session ?? []);
	const opened = picked.some(({ session }) => session === undefined) ? await chooseRecordings(true) : [];
	const all = [...chosen, ...opened];
	if (all.length === 0) return undefined;
	const names = [...chosen.map(({ name }) => name), ...opened.map((file) => path.posix.basename(file.path))];
	return { all, names };
}
