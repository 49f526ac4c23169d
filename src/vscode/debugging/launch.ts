// The command "Debug with Async Profile": debugs the current file, or a launch configuration of the person's choice,
// with the mark by which our configuration provider knows that it must bring the tracer in.
import path from 'node:path';
import * as vscode from 'vscode';
import { visibleText } from '../../protocol/visible-text.ts';
import { showInformation, showWarning } from '../common/notices.ts';
import { PROFILE_MARK } from './configuration-marks.ts';
import { type Injector, NODE_TYPES } from './injection.ts';

interface LaunchTarget {
	folder: vscode.WorkspaceFolder | undefined;
	/** The name that people see. */
	name: string;
	/** What to start: a configuration, or the members of a compound of that name. */
	start: vscode.DebugConfiguration | readonly string[];
}

/** The current file where it has never been saved: there is nothing that could run yet. */
interface UnsavedFile {
	unsaved: vscode.Uri;
}

/** What js-debug can run as a program without further configuration. */
const RUNNABLE = /\.[cm]?[jt]s$/i;
const LANGUAGES = ['javascript', 'typescript'];

/** `file` is given by the editor's menu, and then there is nothing to choose. True when the session started. */
export async function debugWithProfile(injector: Injector, file?: unknown): Promise<boolean> {
	if (!isTrusted()) return false;
	const chosen = await chooseTarget(file instanceof vscode.Uri ? file : undefined);
	const target = chosen !== undefined && 'unsaved' in chosen ? await saved(chosen) : chosen;
	if (target === undefined) return false;
	const { folder, name, start } = target;
	if (!isMembers(start)) return vscode.debug.startDebugging(folder, { ...start, [PROFILE_MARK]: true });
	// VS Code starts a compound by its name alone: its members cannot be marked.
	const release = injector.want(start);
	try {
		return await vscode.debug.startDebugging(folder, name);
	} finally {
		release();
	}
}

/**
 * Attaches to a running process of the person's choice; true when the session started.
 * @param process skips the list: `PID:`, or `PID:PORT` where its inspector has another port than 9229
 */
export async function attachWithProfile(process?: unknown): Promise<boolean> {
	if (!isTrusted()) return false;
	return vscode.debug.startDebugging(undefined, {
		type: 'node',
		request: 'attach',
		name: vscode.l10n.t('Attach with Async Profile'),
		// js-debug's list of Node processes.
		processId: typeof process === 'string' ? process : `\${command:PickProcess}`,
		// Where Node's inspector listens; `localhost` may be another address of the machine.
		address: '127.0.0.1',
		skipFiles: ['<node_internals>/**'],
		[PROFILE_MARK]: true,
	});
}

function isTrusted(): boolean {
	if (vscode.workspace.isTrusted) return true;
	showWarning(vscode.l10n.t('Waitline profiles programs only in trusted workspaces. Trust this workspace first.'));
	return false;
}

/** The target, or undefined when there is none or the person changed their mind. */
async function chooseTarget(file: vscode.Uri | undefined): Promise<LaunchTarget | UnsavedFile | undefined> {
	const uri = file ?? vscode.window.activeTextEditor?.document.uri;
	const current = uri && (unsavedFile(uri) ?? fileTarget(uri));
	const configured = file === undefined ? launchTargets() : [];
	if (configured.length === 0) {
		if (current === undefined) showWhatRuns();
		return current;
	}
	const items: (vscode.QuickPickItem & { target: LaunchTarget | UnsavedFile })[] = configured.map((target) => ({
		label: visibleText(target.name),
		description: visibleText(target.folder?.name ?? ''),
		target,
	}));
	if (current !== undefined) {
		items.unshift({
			label: vscode.l10n.t('Current file'),
			description: visibleText(vscode.workspace.asRelativePath(uri!)),
			target: current,
		});
	}
	const picked = await vscode.window.showQuickPick(items, {
		placeHolder: vscode.l10n.t('What do you want to run with an async profile?'),
	});
	return picked?.target;
}

function showWhatRuns(): void {
	showInformation(
		vscode.l10n.t('Open a JavaScript or TypeScript file, or add a Node launch configuration, to profile it.'),
	);
}

function unsavedFile(uri: vscode.Uri): UnsavedFile | undefined {
	const document = vscode.workspace.textDocuments.find(
		(each) => each.isUntitled && each.uri.toString() === uri.toString(),
	);
	return document !== undefined && LANGUAGES.includes(document.languageId) ? { unsaved: uri } : undefined;
}

/**
 * The file after the person has chosen where to save it, as when VS Code debugs such a file; undefined when they
 * cancel.
 */
async function saved({ unsaved }: UnsavedFile): Promise<LaunchTarget | undefined> {
	const uri = await vscode.workspace.save(unsaved);
	if (uri === undefined) return undefined;
	const target = fileTarget(uri);
	if (target === undefined) showWhatRuns();
	return target;
}

function fileTarget(uri: vscode.Uri): LaunchTarget | undefined {
	if (!RUNNABLE.test(uri.path)) return undefined;
	if (uri.scheme !== 'file' && uri.scheme !== 'vscode-remote') return undefined;
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	const name = path.basename(uri.fsPath);
	const start = {
		type: 'node',
		request: 'launch',
		name,
		program: uri.fsPath,
		cwd: folder?.uri.fsPath ?? path.dirname(uri.fsPath),
		skipFiles: ['<node_internals>/**'],
	};
	return { folder, name, start };
}

/**
 * The launch configurations that run Node, of every workspace folder and of the workspace itself, and the folders'
 * compounds of those.
 */
function launchTargets(): LaunchTarget[] {
	const targets: LaunchTarget[] = [];
	const add = (folder: vscode.WorkspaceFolder | undefined, configurations: unknown, compounds?: unknown) => {
		const own = listOf<vscode.DebugConfiguration>(configurations).filter(
			(config) => config?.request === 'launch' && NODE_TYPES.some((type) => type === config.type),
		);
		// The settings API returns frozen views; the debugger writes into what it gets.
		targets.push(...own.map((config) => ({ folder, name: config.name, start: jsonCopy(config) })));
		// VS Code starts the configurations of a workspace file from its own list only, not by their name
		// (microsoft/vscode#62230).
		if (folder === undefined) return;
		for (const compound of listOf<Compound | null>(compounds)) {
			const names = listOf<string | { name: string } | null>(compound?.configurations).flatMap((member) =>
				typeof member === 'string' ? member : (member?.name ?? []),
			);
			if (own.some((config) => names.includes(config.name)))
				targets.push({ folder, name: compound!.name, start: names });
		}
	};
	for (const folder of vscode.workspace.workspaceFolders ?? []) {
		const launch = vscode.workspace.getConfiguration('launch', folder);
		const compounds = launch.inspect('compounds')?.workspaceFolderValue;
		add(folder, launch.inspect('configurations')?.workspaceFolderValue, compounds);
	}
	const shared = vscode.workspace.getConfiguration('launch').inspect('configurations');
	// Without a `.code-workspace` file the workspace's value is the only folder's, which is there already.
	if (vscode.workspace.workspaceFile !== undefined) add(undefined, shared?.workspaceValue);
	add(undefined, shared?.globalValue);
	return targets;
}

/** Several configurations that are started together, as launch.json has them. */
interface Compound {
	name: string;
	configurations: unknown;
}

/** A list in a file that a person wrote. */
function listOf<T>(value: unknown): readonly T[] {
	return Array.isArray(value) ? (value as T[]) : [];
}

function isMembers(start: LaunchTarget['start']): start is readonly string[] {
	return Array.isArray(start);
}

/** A launch configuration is JSON, and the settings API's views of it do not pass `structuredClone`. */
function jsonCopy(config: vscode.DebugConfiguration): vscode.DebugConfiguration {
	return JSON.parse(JSON.stringify(config)) as vscode.DebugConfiguration;
}
