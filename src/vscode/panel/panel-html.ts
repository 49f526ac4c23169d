// The panel's document: no data in it, only our own script and style sheet, admitted by a nonce and the extension's own
// folder. Everything that is shown arrives by message and becomes text.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export function panelHtml(webview: vscode.Webview, root: vscode.Uri): string {
	const nonce = randomBytes(18).toString('base64');
	const script = webview.asWebviewUri(vscode.Uri.joinPath(root, 'main.js'));
	const style = webview.asWebviewUri(vscode.Uri.joinPath(root, 'panel.css'));
	const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; base-uri 'none'; form-action 'none'`;
	return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Waitline</title>
</head>
<body>
<main id="root"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
