// Opens the walkthrough at the page that explains the findings.
import * as vscode from 'vscode';

export async function explainFindings(): Promise<void> {
	await vscode.commands.executeCommand('workbench.action.openWalkthrough', {
		category: 'waitline.waitline#waitline.walkthrough',
		step: 'findings',
	});
}
