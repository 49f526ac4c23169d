// The extension's entry: builds its parts and connects them. Nothing here decides anything.
import * as vscode from 'vscode';
import type { Finding } from '../protocol/report.ts';
import { registerAnnotationHover } from './annotations/annotation-hover.ts';
import { Annotations } from './annotations/annotations.ts';
import { registerAnnotationsSwitch } from './annotations/annotations-switch.ts';
import { WaitLenses } from './annotations/code-lens.ts';
import { LineCommands } from './annotations/line-commands.ts';
import { ViewFiles } from './annotations/view-files.ts';
import type { WaitlineApi } from './api.ts';
import { Log } from './common/log.ts';
import { ContextKeys } from './context-keys.ts';
import { DebugFollower } from './debugging/debug-follower.ts';
import { Injector, NODE_TYPES } from './debugging/injection.ts';
import { attachWithProfile, debugWithProfile } from './debugging/launch.ts';
import { poolSizeFix } from './debugging/pool-size-fix.ts';
import { profileSample } from './debugging/sample.ts';
import { TracingFiles } from './debugging/tracing-files.ts';
import { detailStrings, lifeStrings } from './details/detail-strings.ts';
import type { DetailContext } from './details/line-details.ts';
import { viewStrings } from './details/strings.ts';
import { FindingViews, fixTitle } from './findings/finding-views.ts';
import { findingText } from './findings/findings.ts';
import { registerLanguageModelTools } from './model-tools/language-model-tools.ts';
import { Panel } from './panel/panel.ts';
import { openRecording, saveRecording } from './panel/recording.ts';
import { RECORDING_EDITOR, RecordingEditors } from './panel/recording-editor.ts';
import type { ViewParts } from './panel/report-view.ts';
import { ActiveSession } from './sessions/active-session.ts';
import { offerFirstResult } from './sessions/first-result.ts';
import { restoreShown } from './sessions/restore-session.ts';
import { Sessions } from './sessions/sessions.ts';
import { switchSession } from './sessions/switch-session.ts';
import { StatusBar } from './status-bar.ts';
import { WaitsTree } from './tree/waits-tree.ts';

/**
 * Kept for `deactivate`, which VS Code waits for: the journals must be gone before the process is. The log is written until then,
 * while all subscriptions are disposed as soon as `deactivate` has been called.
 */
let running: { sessions: Sessions; annotations: Annotations; log: Log } | undefined;

export function activate(context: vscode.ExtensionContext): WaitlineApi {
	const log = new Log();
	const words = viewStrings();
	const sessions = new Sessions(log);
	const annotations = new Annotations(sessions, words);
	const active = new ActiveSession();
	const fixOf = (finding: Finding) => {
		const fix = poolSizeFix(finding, sessions);
		return fix && fixTitle(fix);
	};
	const parts: ViewParts = { context, words, log, annotations, sessions, fixOf };
	const panel = new Panel(sessions, parts);
	const tracing = new TracingFiles(context, log);
	const follower = new DebugFollower(sessions, tracing, log);
	const statusBar = new StatusBar(sessions, active, words, (session) => follower.collectsAsyncStacks(session));
	const injector = new Injector(tracing, log, (folder) => follower.expect(folder), sessions);
	running = { sessions, annotations, log };
	const files = new ViewFiles();
	const details: DetailContext = {
		view: words,
		detail: detailStrings(),
		life: lifeStrings(),
		findingText,
		fixOf,
		isEdited: (at) => annotations.isEdited(at),
		issue: (file) => files.issue(file),
	};
	const tree = new WaitsTree(sessions, details, context.workspaceState);

	context.subscriptions.push(
		follower,
		sessions,
		annotations,
		statusBar,
		panel,
		tree,
		active,
		new ContextKeys(sessions, active),
		new WaitLenses(annotations, files, words),
		new FindingViews(sessions, annotations),
		offerFirstResult(sessions, context.globalState, panel),
		restoreShown(sessions, context.workspaceState, tracing, log),
		registerLanguageModelTools(sessions, annotations),
		new LineCommands(sessions, annotations, {
			files,
			details,
			actions: {
				reveal: (facts) => panel.reveal(facts, true),
				showPanel: () => panel.show(),
				filter: (facts) => tree.filter({ file: facts.file, line: facts.line }),
			},
		}),
		registerAnnotationHover(annotations, sessions, details),
		registerAnnotationsSwitch(),
		...NODE_TYPES.map((type) => vscode.debug.registerDebugConfigurationProvider(type, injector)),
		vscode.commands.registerCommand('waitline.debug', (file) => debugWithProfile(injector, file)),
		vscode.commands.registerCommand('waitline.profileSample', () => profileSample(context, injector)),
		vscode.commands.registerCommand('waitline.attach', attachWithProfile),
		vscode.commands.registerCommand('waitline.startProfiling', (context) => follower.startProfiling(context)),
		vscode.commands.registerCommand('waitline.stopProfiling', (context) => follower.stopProfiling(context)),
		vscode.commands.registerCommand('waitline.turnOffAsyncStacks', (context) => follower.turnOffAsyncStacks(context)),
		vscode.commands.registerCommand('waitline.showPanel', () => panel.show()),
		vscode.commands.registerCommand('waitline.clearAnnotations', () => sessions.clearAnnotations()),
		vscode.commands.registerCommand('waitline.saveRecording', (target) => saveRecording(sessions, annotations, target)),
		vscode.commands.registerCommand('waitline.openRecording', openRecording),
		vscode.commands.registerCommand('waitline.showAllTime', () => sessions.current?.limited.set(null)),
		vscode.commands.registerCommand('waitline.switchSession', () => switchSession(sessions)),
		// A fix is for the session that is shown, which may be another one.
		vscode.window.registerCustomEditorProvider(
			RECORDING_EDITOR,
			new RecordingEditors(sessions, { ...parts, fixOf: () => undefined }),
		),
		// An open panel follows the cursor.
		vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
			if (!panel.isOpen) return;
			const facts = annotations.factsAt(textEditor.document, textEditor.selection.active.line);
			if (facts !== undefined) panel.reveal(facts, false);
		}),
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
	if (running === undefined) return;
	const { sessions, annotations, log } = running;
	await sessions.close((session, file) => annotations.ranText(session, file)?.lines);
	log.dispose();
	running = undefined;
}
