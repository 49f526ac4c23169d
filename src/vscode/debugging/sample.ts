// The command "Profile a Sample Program", with which the walkthrough ends: a copy of the sample that the person can change,
// opened and run with an async profile.
import * as vscode from 'vscode';
import type { Injector } from './injection.ts';
import { debugWithProfile } from './launch.ts';

const NAME = 'hashes.cjs';

/** True when the session started. An existing copy stays: it may have been changed. */
export async function profileSample(context: vscode.ExtensionContext, injector: Injector): Promise<boolean> {
	const copy = vscode.Uri.joinPath(context.globalStorageUri, 'sample', NAME);
	const original = vscode.Uri.joinPath(context.extensionUri, 'media', 'sample', NAME);
	try {
		await vscode.workspace.fs.stat(copy);
	} catch {
		await vscode.workspace.fs.copy(original, copy);
	}
	await vscode.window.showTextDocument(copy);
	return debugWithProfile(injector, copy);
}
