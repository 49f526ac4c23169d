// The fix for a pool size that was set too late: the variable in the launch configuration that started the program. It
// is offered only where nothing about it is a guess: the session came from one launch configuration, by its name, that
// configuration sets no size, and the program that it started is the only one that wanted another.
import * as vscode from 'vscode';
import { eachFinding } from '../../protocol/finding-list.ts';
import type { Finding, Report } from '../../protocol/report.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { NODE_TYPES } from './injection.ts';

const VARIABLE = 'UV_THREADPOOL_SIZE';
/** libuv's own limit (src/threadpool.c, MAX_THREADPOOL_SIZE). */
const MOST_THREADS = 1024;

/** What the fix would change. */
export interface PoolSizeFix {
	folder: vscode.WorkspaceFolder;
	/** The launch configuration's name. */
	configuration: string;
	/** Threads that the program wanted. */
	size: number;
}

/** The fix for a finding of the current session; undefined where none is certain. */
export function poolSizeFix(finding: Finding, sessions: Sessions): PoolSizeFix | undefined {
	const origin = sessions.current?.origin;
	const report = sessions.current?.report();
	if (finding.code !== 'pool-size-too-late' || origin?.folder === undefined || report === undefined) return undefined;
	// The configuration's variable is that of all its processes: if one wants another size, or only a child wants one,
	// the fix would be a guess.
	const size = finding.evidence.wanted;
	const others = eachFinding(report.findings).filter(
		(other) => other.code === finding.code && other.evidence.wanted !== size,
	);
	const isChild = report.processes.some(({ pid, parentPid }) => pid === finding.pid && parentPid !== 0);
	if (others.length > 0 || isChild) return undefined;
	if (!Number.isInteger(size) || size < 1 || size > MOST_THREADS) return undefined;
	const named = configurationsOf(origin.folder).filter(({ name }) => name === origin.configuration);
	const [configuration] = named;
	if (configuration === undefined || named.length > 1 || !isFixable(configuration)) return undefined;
	return { folder: origin.folder, configuration: origin.configuration, size };
}

/** The first certain fix among a report's findings. */
export function findFix(report: Report | undefined, sessions: Sessions): PoolSizeFix | undefined {
	for (const finding of eachFinding(report?.findings ?? [])) {
		const fix = poolSizeFix(finding, sessions);
		if (fix !== undefined) return fix;
	}
	return undefined;
}

/**
 * Writes the variable into launch.json, and nothing else: the settings API would rewrite all configurations, without
 * their comments. Unsaved changes in that file stay unsaved. True when the variable is set.
 * @throws the editor's error when the file cannot be read
 */
export async function applyPoolSizeFix({ folder, configuration, size }: PoolSizeFix): Promise<boolean> {
	const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'launch.json');
	const document = await vscode.workspace.openTextDocument(file);
	const text = document.getText();
	const { editsToSet, read } = await import('../../host/common/json-with-comments.ts');
	const { configurations = [] } = (read(text) ?? {}) as { configurations?: vscode.DebugConfiguration[] };
	const index = configurations.findIndex((each) => each.name === configuration && isFixable(each));
	if (index === -1) return false;
	const edit = new vscode.WorkspaceEdit();
	const path = ['configurations', index, 'env', VARIABLE];
	for (const { offset, length, content } of editsToSet(text, path, String(size))) {
		const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
		edit.replace(file, range, content);
	}
	const wasSaved = !document.isDirty;
	return (await vscode.workspace.applyEdit(edit)) && (!wasSaved || document.save());
}

function isFixable(configuration: vscode.DebugConfiguration): boolean {
	const { type, request, env, envFile } = configuration;
	// A file of variables may already set it, and `env` would override that.
	if (request !== 'launch' || envFile !== undefined || !NODE_TYPES.some((known) => known === type)) return false;
	return !Object.keys((env as object | undefined) ?? {}).some((name) => name.toUpperCase() === VARIABLE);
}

/** The folder's launch configurations. */
function configurationsOf(folder: vscode.WorkspaceFolder): vscode.DebugConfiguration[] {
	const own = vscode.workspace.getConfiguration('launch', folder).inspect('configurations')?.workspaceFolderValue;
	return Array.isArray(own) ? (own as vscode.DebugConfiguration[]) : [];
}
