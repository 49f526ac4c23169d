// Somebody who profiles for the first time may not know where the results are. So they are offered once on each machine, when
// the first session with any has ended.
import * as vscode from 'vscode';
import { offer } from '../common/notices.ts';
import type { Sessions } from './sessions.ts';

/** Set when they have been offered, or seen without that. */
const SEEN = 'firstResultSeen';

/** The part of the panel that this needs. */
interface ResultPanel {
	readonly isOpen: boolean;
	show(): void;
}

/** @param memory outlives the editor */
export function offerFirstResult(sessions: Sessions, memory: vscode.Memento, panel: ResultPanel): vscode.Disposable {
	if (memory.get(SEEN) === true) return new vscode.Disposable(() => undefined);
	const following = sessions.onDidChange(() => {
		const ended = sessions.current;
		if (ended === undefined || ended.live || ended.file !== undefined) return;
		const { lines, findings } = ended.report();
		if (lines.length === 0) return;
		following.dispose();
		void memory.update(SEEN, true);
		if (!panel.isOpen) void offerPanel(ended.name, findings.length, panel);
	});
	return following;
}

async function offerPanel(name: string, findings: number, panel: ResultPanel): Promise<void> {
	const text =
		findings > 0
			? vscode.l10n.t('“{0}” has been profiled. Findings: {1}.', name, findings)
			: vscode.l10n.t('“{0}” has been profiled. What its lines waited for is shown behind them.', name);
	if (await offer(text, vscode.l10n.t('Open Panel'))) panel.show();
}
