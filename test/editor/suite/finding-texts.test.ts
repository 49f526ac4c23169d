// Each rule's finding in the person's words: a title, its numbers and what to do, in the panel.
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { FindingCode } from '../../../src/protocol/report.ts';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { until, waitline } from './editor.ts';
import { FINDING_TITLES } from './finding-titles.ts';
import { profile, stopAll } from './session.ts';
import { click, inWindow, seesWindow } from './window.ts';

const PANEL = { webviewWith: '.findings' };

/** The bundle of this file stands three folders below `test`'s own. */
const LIBRARIES = path.resolve(__dirname, '../../../../test/libraries/node_modules');

/** What the panel must say of the lab's program with that fault; the numbers that are certain are in it. */
const SAID: Record<FindingCode, { evidence: RegExp; poolSize?: string; needsLibraries?: true }> = {
	'pool-saturated': {
		evidence:
			/threads \(2\) were all taken for .*\d m?s, \d+ % of the time; up to 7 operations queued, .*\d m?s in all, .*\d m?s the longest\.$/,
		poolSize: '2',
	},
	'dns-starved': {
		evidence:
			/^dns\.lookup ×1 queued for .*\d m?s in all and then took .*\d .s; 1 of 1 threads may look names up\. The pool was held by \S+ dns-starved\.cjs:\d+ for .*\d m?s\.$/,
		poolSize: '1',
	},
	'loop-blocked': {
		evidence:
			/held the loop ×1, \d+ ms the longest, and delayed operations ×3 by .*\d m?s in all\. Most of that was \S+ loop-blocked\.cjs:\d+\.$/,
	},
	'pool-size-too-late': { evidence: /^8 threads were asked for, 4 are in effect\.$/ },
	'sync-in-callback': {
		evidence: /^\S+Sync is called here; the code around it ran ×\d+ for .*\d .?s in all, .*\d .?s the longest\.$/,
	},
	'timers-late': {
		evidence:
			/^\d+ timers fired .*\d m?s late on average, .*\d m?s at most\. Blocks of the loop made .*\d(?: m?s)? of .*\d m?s\.$/,
	},
	'too-few-connections': {
		evidence:
			/^It waited ×\d+ for a free connection, .*\d m?s in all, up to \d+ at once; one in twenty waited .*\d m?s or longer\.$/,
		needsLibraries: true,
	},
	'unbounded-concurrency': {
		evidence: /^\d+ operations were under way at once; one in twenty waited .*\d .?s or longer\.$/,
	},
};

describe('the text of a finding', () => {
	let api: WaitlineApi;

	before(async () => {
		api = await waitline();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});
	after(async () => {
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	for (const [code, { evidence, poolSize, needsLibraries }] of Object.entries(SAID)) {
		const title = FINDING_TITLES[code as FindingCode];
		it(`of ${code} has its numbers, and what to do`, async function () {
			if (!seesWindow) this.skip();
			await profile(api, `findings/${code}.cjs`, {
				...(poolSize !== undefined && { UV_THREADPOOL_SIZE: poolSize }),
				...(needsLibraries && { NODE_PATH: LIBRARIES }),
			});
			await vscode.commands.executeCommand('waitline.showPanel');
			await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
			await click('vscode-panel-tab#findings', PANEL);
			const found = await until('the finding', () =>
				api.panelState()?.findings.find(([shown]) => api.panelState()!.tab === 'findings' && shown === title),
			);
			assert.match(found[1]!, evidence);
			const text = await inWindow(() => document.querySelector('.findings')?.textContent ?? '', undefined, PANEL);
			assert.ok(text.includes(found[1]!), 'in the window');
			const advice = found[2] ?? '';
			assert.ok(advice.split(' ').length > 5 && text.includes(advice), `what to do: "${advice}"`);
			assert.doesNotMatch(text, /\{\d\}|NaN|undefined|null/);
			await screenshotInEveryTheme(`finding-${code}`);
		});
	}
});
