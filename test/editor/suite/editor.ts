// What every test of the suite needs: the extension, the workspace's files, and waiting for conditions instead of times.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Line, Report } from '../../../src/protocol/report.ts';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import type { NodeBuild } from '../../support/nodes.ts';
import { NODES_VARIABLE, USER_DATA_VARIABLE } from '../environment.ts';

/**
 * The most that a slow and busy machine may take for something that takes a second, or for js-debug to step through Node's own code, at most some 165 times: long,
 * because it only limits when to give up.
 */
const PATIENCE_MS = 240_000;

export const EXTENSION_ID = 'waitline.waitline';

/** The extension's exported API; activates it. */
export async function waitline(): Promise<WaitlineApi> {
	const extension = vscode.extensions.getExtension<WaitlineApi>(EXTENSION_ID);
	assert.ok(extension, `${EXTENSION_ID} is not installed`);
	return extension.activate();
}

export function workspaceFolder(): vscode.WorkspaceFolder {
	return vscode.workspace.workspaceFolders![0]!;
}

/** Absolute path of a file of the workspace. */
export function fileOf(...names: string[]): string {
	return path.join(workspaceFolder().uri.fsPath, ...names);
}

/** 1-based number of the first line of `file` that contains `text`. */
export function lineWith(file: string, text: string): number {
	const index = readFileSync(file, 'utf8')
		.split('\n')
		.findIndex((line) => line.includes(text));
	assert.notEqual(index, -1, `no "${text}" in ${file}`);
	return index + 1;
}

/** Opens a file as the only one and gives it the focus. */
export async function open(file: string): Promise<vscode.TextEditor> {
	await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	return vscode.window.showTextDocument(vscode.Uri.file(file), { viewColumn: vscode.ViewColumn.One });
}

/** Opens the hover of a line by its command. @param line 1-based */
export async function showDetails(editor: vscode.TextEditor, line: number): Promise<void> {
	editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
	await vscode.commands.executeCommand('waitline.showLineDetails');
}

/** The report's entry of that line and operation. */
export function entryOf(report: Report | undefined, file: string, line: number, op: string): Line {
	const found = report?.lines.find((each) => each.file === file && each.line === line && each.op === op);
	assert.ok(found, `no ${op} at ${file}:${line} in ${JSON.stringify(report?.lines, null, 1)}`);
	return found;
}

/** Waits until `check` returns something other than undefined and false; `what` names it when it does not come. */
export async function until<T>(what: string, check: () => T | Promise<T>, limitMs = PATIENCE_MS) {
	const began = Date.now();
	const deadline = began + limitMs;
	for (;;) {
		const value = await check();
		if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
		if (Date.now() > deadline) throw new Error(`${what}: not within ${limitMs / 1000} s`);
		await pause(Date.now() - began);
	}
}

/** Waits until what the window shows is what it should show; when it never is, the two are compared. */
export async function eventually<T>(expected: T, look: () => T | Promise<T>): Promise<void> {
	const began = Date.now();
	const deadline = began + PATIENCE_MS;
	for (;;) {
		const seen = await look();
		if (isDeepStrictEqual(seen, expected)) return;
		if (Date.now() > deadline) assert.deepEqual(seen, expected);
		await pause(Date.now() - began);
	}
}

/**
 * Waits before the next look, longer the longer one waits already: a look at the window takes four processes some milliseconds each.
 * @param waitedMs since the first look
 */
async function pause(waitedMs: number): Promise<void> {
	await sleep(Math.min(Math.max(waitedMs / 8, 30), 250));
}

/** Where the extension keeps its sessions' folders. */
export function sessionStorage(): string {
	return path.join(process.env[USER_DATA_VARIABLE]!, 'User/globalStorage', EXTENSION_ID, 'sessions');
}

/** Names of the folders in which the extension keeps the journals of its sessions. */
export function journalFolders(): string[] {
	return existsSync(sessionStorage()) ? readdirSync(sessionStorage()) : [];
}

/** Sets one of the extension's settings for the person; undefined takes it back. */
export async function setSetting(key: string, value: unknown): Promise<void> {
	await vscode.workspace.getConfiguration('waitline').update(key, value, vscode.ConfigurationTarget.Global);
}

/** The Node versions that programs are to be debugged on. */
export function testedNodes(): NodeBuild[] {
	return JSON.parse(process.env[NODES_VARIABLE] ?? '[]') as NodeBuild[];
}
