// What the activation takes, as VS Code itself measures it: the figures of "Developer: Startup Performance".
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { OUT_VARIABLE } from '../environment.ts';
import { EXTENSION_ID, until, waitline } from './editor.ts';

/** In whole ms: VS Code takes them from a clock of that resolution. */
export interface Activation {
	/** Reading, compiling and running the bundle. */
	loadMs: number;
	/** The call of `activate`. */
	callMs: number;
	/** Until what `activate` returned was there. */
	resolveMs: number;
}

describe('activation', () => {
	it('takes so long', async () => {
		await waitline();
		await vscode.commands.executeCommand('perfview.show');
		const page = await vscode.workspace.openTextDocument(vscode.Uri.parse('perf:Startup Performance'));
		const row = await until('the row of the extension', () =>
			page
				.getText()
				.split('\n')
				.find((line) => line.startsWith(`| ${EXTENSION_ID} `)),
		);
		// | extension | eager | load code | call activate | finish activate | event | by |
		const [loadMs, callMs, resolveMs] = row.split('|').slice(3, 6).map(Number);
		assert.ok(Number.isInteger(loadMs) && Number.isInteger(callMs) && Number.isInteger(resolveMs), row);
		const activation: Activation = { loadMs: loadMs!, callMs: callMs!, resolveMs: resolveMs! };
		writeFileSync(path.join(process.env[OUT_VARIABLE]!, 'activation.json'), JSON.stringify(activation));
	});
});
