// The command "Debug with Async Profile": debugs the current file, or a launch configuration of the person's choice,
// with the mark that tells our configuration provider to bring the tracer in.
import path from 'node:path';
import * as vscode from 'vscode';
import { PROFILE_MARK } from './api.ts';
import { NODE_TYPES } from './injection.ts';

interface Target {
	folder: vscode.WorkspaceFolder | undefined;
	config: vscode.DebugConfiguration;
}

/** What js-debug can run as a program without further configuration. */
const RUNNABLE = /\.[cm]?[jt]s$/i;

/** `file` comes from the editor's menu and leaves nothing to choose. True when the session started. */
export async function debugWithProfile(file?: unknown): Promise<boolean> {
	if (!isTrusted()) return false;
	const target = await chooseTarget(file instanceof vscode.Uri ? file : undefined);
	if (target === undefined) return false;
	return vscode.debug.startDebugging(target.folder, { ...target.config, [PROFILE_MARK]: true });
}

/**
 * Attaches to a running process of the person's choice; true when the session started.
 * @param process spares the list: `PID:`, or `PID:PORT` where its inspector has another port than 9229
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
	void vscode.window.showWarningMessage(
		vscode.l10n.t('Waitline profiles programs only in trusted workspaces. Trust this workspace first.'),
	);
	return false;
}

/** The target, or undefined when there is none or the person changed their mind. */
async function chooseTarget(file: vscode.Uri | undefined): Promise<Target | undefined> {
	const current = fileTarget(file ?? vscode.window.activeTextEditor?.document.uri);
	const configured = file === undefined ? launchTargets() : [];
	if (configured.length === 0) {
		if (current === undefined) {
			void vscode.window.showInformationMessage(
				vscode.l10n.t('Open a JavaScript or TypeScript file, or add a Node launch configuration, to profile it.'),
			);
		}
		return current;
	}
	const items = configured.map((target) => ({
		label: target.config.name,
		description: target.folder?.name ?? '',
		target,
	}));
	if (current !== undefined) {
		items.unshift({
			label: vscode.l10n.t('Current file'),
			description: vscode.workspace.asRelativePath(current.config.program as string),
			target: current,
		});
	}
	const picked = await vscode.window.showQuickPick(items, {
		placeHolder: vscode.l10n.t('What should run with an async profile?'),
	});
	return picked?.target;
}

function fileTarget(uri: vscode.Uri | undefined): Target | undefined {
	if (uri === undefined || !RUNNABLE.test(uri.path)) return undefined;
	if (uri.scheme !== 'file' && uri.scheme !== 'vscode-remote') return undefined;
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	const config = {
		type: 'node',
		request: 'launch',
		name: path.basename(uri.fsPath),
		program: uri.fsPath,
		cwd: folder?.uri.fsPath ?? path.dirname(uri.fsPath),
		skipFiles: ['<node_internals>/**'],
	};
	return { folder, config };
}

/** The launch configurations that run Node, of every workspace folder and of the workspace itself. */
function launchTargets(): Target[] {
	const targets: Target[] = [];
	const add = (folder: vscode.WorkspaceFolder | undefined, value: unknown) => {
		if (!Array.isArray(value)) return;
		for (const config of value as vscode.DebugConfiguration[]) {
			if (config?.request !== 'launch' || !NODE_TYPES.some((type) => type === config.type)) continue;
			// The settings API hands out frozen views; the debugger writes into what it gets.
			targets.push({ folder, config: jsonCopy(config) });
		}
	};
	for (const folder of vscode.workspace.workspaceFolders ?? []) {
		add(folder, vscode.workspace.getConfiguration('launch', folder).inspect('configurations')?.workspaceFolderValue);
	}
	const shared = vscode.workspace.getConfiguration('launch').inspect('configurations');
	// Without a `.code-workspace` file the workspace's value is the only folder's, which is there already.
	if (vscode.workspace.workspaceFile !== undefined) add(undefined, shared?.workspaceValue);
	add(undefined, shared?.globalValue);
	return targets;
}

/** A launch configuration is JSON, and the settings API's views of it do not pass `structuredClone`. */
function jsonCopy(config: vscode.DebugConfiguration): vscode.DebugConfiguration {
	return JSON.parse(JSON.stringify(config)) as vscode.DebugConfiguration;
}
