// The extension's entry: builds its parts and connects them. Nothing here decides anything.
import * as vscode from 'vscode';
import { registerAnnotationHover } from './annotation-hover.ts';
import { Annotations } from './annotations.ts';
import { registerAnnotationsSwitch } from './annotations-switch.ts';
import type { WaitlineApi } from './api.ts';
import { Injector, NODE_TYPES } from './injection.ts';
import { debugWithProfile } from './launch.ts';
import { Panel } from './panel.ts';
import { saveRecording } from './recording.ts';
import { profileSample } from './sample.ts';
import { Sessions } from './sessions.ts';
import { StatusBar } from './status-bar.ts';
import { viewStrings } from './strings.ts';

/** Kept for `deactivate`, which VS Code waits for: the journals must be gone before the process is. */
let running: Sessions | undefined;

export function activate(context: vscode.ExtensionContext): WaitlineApi {
	const log = vscode.window.createOutputChannel('Waitline', { log: true });
	const words = viewStrings();
	const sessions = new Sessions(log);
	const annotations = new Annotations(sessions, words);
	const statusBar = new StatusBar(sessions);
	const panel = new Panel(sessions, { context, words, log });
	const injector = new Injector(context, log, (folder) => sessions.expect(folder));
	running = sessions;
	let offered = false;

	/** Shows the line under the cursor in the panel; says nothing where there is nothing to show. */
	const revealInPanel = (editor: vscode.TextEditor | undefined, switchTab: boolean) => {
		const facts = editor && annotations.factsAt(editor.document, editor.selection.active.line);
		if (facts !== undefined) panel.reveal(facts, switchTab);
		else if (switchTab) panel.show();
	};

	context.subscriptions.push(
		log,
		sessions,
		annotations,
		statusBar,
		panel,
		registerAnnotationHover(annotations, words),
		registerAnnotationsSwitch(),
		...NODE_TYPES.map((type) => vscode.debug.registerDebugConfigurationProvider(type, injector)),
		vscode.commands.registerCommand('waitline.debug', debugWithProfile),
		vscode.commands.registerCommand('waitline.profileSample', () => profileSample(context)),
		vscode.commands.registerCommand('waitline.showPanel', () => panel.show()),
		vscode.commands.registerCommand('waitline.clearAnnotations', () => sessions.clearAnnotations()),
		vscode.commands.registerCommand('waitline.saveRecording', (target) => saveRecording(sessions, target)),
		vscode.commands.registerCommand('waitline.revealInPanel', () =>
			revealInPanel(vscode.window.activeTextEditor, true),
		),
		// The palette offers what needs a report only when there is one.
		sessions.onDidChange(() => {
			if (offered) return;
			offered = true;
			void vscode.commands.executeCommand('setContext', 'waitline.hasReport', true);
		}),
		vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => revealInPanel(textEditor, false)),
	);

	return {
		report: () => sessions.current?.report(),
		live: () => sessions.current?.live ?? false,
		annotations: (uri) => annotations.of(uri),
		decorationsSent: () => annotations.sent,
		onUpdate: (listener) => {
			const drawn = [annotations.onDidDraw(listener), panel.onDidDraw(listener)];
			return () => vscode.Disposable.from(...drawn).dispose();
		},
		status: () => statusBar.text,
		panelState: () => panel.drawn,
	};
}

export async function deactivate(): Promise<void> {
	await running?.close();
	running = undefined;
}
