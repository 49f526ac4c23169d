// Asks one of Waitline's tools about the line of the cursor, in a window that no test runs in: under a test VS Code takes every
// confirmation as given, and outside of a chat it shows one as a dialog.
const path = require('node:path');
const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
	subscriptions.push(vscode.commands.registerCommand('waitlineTests.ask', ask));
};

async function ask() {
	const names = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('waitline_'));
	const name = await vscode.window.showQuickPick(names);
	if (name === undefined) return;
	const editor = vscode.window.activeTextEditor;
	const input = editor && { file: path.basename(editor.document.fileName), line: editor.selection.active.line + 1 };
	try {
		const { content } = await vscode.lm.invokeTool(name, { input: input ?? {}, toolInvocationToken: undefined });
		vscode.window.showInformationMessage(`The tool answers: ${content[0].value.slice(0, 200)}`);
	} catch (error) {
		vscode.window.showInformationMessage(`The tool fails: ${error.message}`);
	}
}
