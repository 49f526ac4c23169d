// The command "Switch Session": a list of all sessions that can be shown, the one that is shown first under the cursor.
import * as vscode from 'vscode';
import { formatMs } from '../../protocol/units.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import { showInformation } from '../common/notices.ts';
import type { Sessions } from './sessions.ts';
import type { ShownSession } from './shown-session.ts';

/** True when a session was chosen. */
export async function switchSession(sessions: Sessions): Promise<boolean> {
	if (sessions.all.length === 0) {
		showInformation(vscode.l10n.t('Waitline has no session to show yet.'));
		return false;
	}
	// The list's first entry is the one that Enter takes: after the shown one come those that a person may want
	// instead.
	const items = sessions.all.map((session) => itemOf(session, session === sessions.current));
	const picked = await vscode.window.showQuickPick(items, {
		placeHolder: vscode.l10n.t('Which session should Waitline show?'),
		matchOnDescription: true,
	});
	if (picked === undefined) return false;
	sessions.show(picked.session);
	return true;
}

/** A session in a list. */
export function itemOf(session: ShownSession, isShown: boolean) {
	const icon = session.file !== undefined ? 'file' : session.live ? 'debug-start' : 'history';
	return {
		label: `$(${icon}) ${visibleText(session.name)}`,
		description: [stateOf(session), isShown ? vscode.l10n.t('shown') : ''].filter((part) => part !== '').join(' · '),
		detail: visibleText(session.file?.fsPath ?? ''),
		session,
	};
}

/** `running, since 10:24:31` or `ended, 10:24:31, 12.5 s`. */
function stateOf({ live, startedAt, endedAt, file }: ShownSession): string {
	if (file !== undefined) return vscode.l10n.t('recording');
	const began = startedAt?.toLocaleTimeString(vscode.env.language) ?? '';
	if (live) return vscode.l10n.t('running since {0}', began);
	const durationMs = startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : 0;
	return vscode.l10n.t('ended · {0} · {1}', began, formatMs(durationMs));
}
