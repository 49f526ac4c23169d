// Each rule's finding in the person's words: a title, its numbers and what to do, in the panel.
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { FindingCode } from '../../../src/protocol/report.ts';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { setSetting, until, waitline } from './editor.ts';
import { FINDING_TITLES } from './finding-titles.ts';
import { profile, stopAll } from './session.ts';
import { rowOf, showTree, treeRows } from './tree.ts';
import { click, inWindow, seesWindow } from './window.ts';

const PANEL = { webviewWith: '.findings' };

/** The bundle of this file is three folders below `test`'s own. */
const LIBRARIES = path.resolve(__dirname, '../../../../test/libraries/node_modules');

/** What the panel must say of the lab's program with that fault; the numbers that are certain are in it. */
const SAID: Record<FindingCode, { evidence: RegExp; poolSize?: string; needsLibraries?: true }> = {
	'pool-saturated': {
		evidence:
			/^All 2 threads of the pool were busy for .*\d [µm]?s \(\d+(?:–\d+)? % of the time\)\. Operations queued for .*\d [µm]?s in total \(longest .*\d [µm]?s\), up to 7 at a time\. Jobs took \d+(?:–\d+)? % of the threads’ time\.$/,
		poolSize: '2',
	},
	'dns-starved': {
		evidence:
			/^dns\.lookup queued for .*\d [µm]?s, then took .*\d .s\. Threads that may look up names: 1 of 1\. Meanwhile \S+ dns-starved\.cjs:\d+ used the pool for .*\d [µm]?s\.$/,
		poolSize: '1',
	},
	'loop-blocked': {
		evidence:
			/^Blocked the event loop once, for \d.* [µm]?s\. Operations that this delayed: at least 3, by .*\d [µm]?s in total\. (?:Most affected(?:, as far as is certain)?|Perhaps most affected): \S+ loop-blocked\.cjs:\d+\. No stack sample shows what ran after this wait\.$/,
	},
	'pool-size-too-late': {
		evidence: /^UV_THREADPOOL_SIZE was set to 8 too late: the pool keeps its size of 4\.$/,
	},
	'sync-in-callback': {
		evidence:
			/^Calls \S+Sync\. The callbacks of the [\d,]+ operations around it ran for .*\d .?s in total \(at most .*\d .?s for one operation\)\.$/,
	},
	'requests-blocked': {
		evidence:
			/^\d+ requests waited at least .*\d [µm]?s in total, \d+ % of their time, for callbacks of http\.Server request that were each too short to count as a block\. Half of these ran for .*\d [µm]?s or less\.$/,
	},
	'timers-late': {
		evidence:
			/^\d+ timers fired .*\d [µm]?s late on average \(.*\d [µm]?s at most\)\. Blocks of the event loop account for .*\d(?: [µm]?s)? of .*\d [µm]?s\.(?: (?:The callbacks of setImmediate timers-late\.cjs:\d+ kept the event loop busy, each too briefly to count as a block|Most of it: .*timers-late\.cjs:\d+.*)\.)?$/,
	},
	'too-few-connections': {
		evidence:
			/^Waited \d+ times for a free connection, .*\d [µm]?s in total, up to \d+ at a time\. One wait in twenty took .*\d [µm]?s or longer\.$/,
		needsLibraries: true,
	},
	'leaked-connection': {
		evidence:
			/^Waiting: 2, the first of them for \d.* [µm]?s; no connection was given back meanwhile\. Idle connections: 2\. Last used: \S+ leaked-connection\.cjs:9\.$/,
		needsLibraries: true,
	},
	'agent-starved': {
		evidence:
			/^Waited \d+ times for a socket of the HTTP agent, .*\d [µm]?s in total, up to 18 at a time\. One wait in twenty took .*\d [µm]?s or longer\. The requests themselves took .*\d [µm]?s\. For .*\d [µm]?s of that time, other commands of this line had the connection, up to .*\d [µm]?s each\.$/,
	},
	'earlier-command': {
		evidence:
			/^Waited \d+ times for its turn on a connection, .*\d [µm]?s in total\. One wait in twenty took .*\d [µm]?s or longer\. For .*\d [µm]?s of that time, \S+ earlier-command\.cjs:\d+ had the connection, up to .*\d [µm]?s at a time\.$/,
		needsLibraries: true,
	},
	'n-plus-one': {
		evidence:
			/^On average, each request waited 10 times for \S+, one after the other\. That took .*\d [µm]?s in total, \d+ % of the time of http\.Server request asks-itself\.cjs:\d+ \(requests: 3\)\.$/,
	},
	'awaits-together': {
		evidence:
			/^3 awaits, from fetch on, ran 3 times one after the other, though none uses another’s result: .*\d [µm]?s in total, .*\d [µm]?s of it for the longest\.$/,
	},
	'serial-loop': {
		evidence:
			/^A loop waited for 24 calls of fetch one after the other, .*\d [µm]?s in total, though no item depends on another\. Such loops: 3\.$/,
	},
	'slow-reader': {
		evidence:
			/^\d+ writes waited .*\d [µm]?s in total until the other end had read what was sent before\. One in twenty took .*\d [µm]?s or longer\. For \d+ % of the time, at least one was waiting\.$/,
	},
	'unbounded-concurrency': {
		evidence: /^[\d,]+ operations were under way at once\. One in twenty waited .*\d .?s or longer\.$/,
	},
};

describe('the text of a finding', () => {
	let api: WaitlineApi;

	before(async () => {
		api = await waitline();
		// Stack samples would name the line that computed, whenever there is one.
		await setSetting('sampleBlocks', false);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});
	after(async () => {
		await setSetting('sampleBlocks', undefined);
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
			// The program's own code may say anything.
			const excerpts = await inWindow(
				() => [...document.querySelectorAll('.findings .excerpt')].map((excerpt) => excerpt.textContent ?? ''),
				undefined,
				PANEL,
			);
			const words = excerpts.reduce((rest, excerpt) => rest.replace(excerpt, ''), text);
			assert.doesNotMatch(words, /\{\d\}|NaN|undefined|null/);
			await screenshotInEveryTheme(`finding-${code}`);
		});
	}

	it('of loop-blocked begins with what computed, where stack samples show it', async function () {
		if (!seesWindow) this.skip();
		await setSetting('sampleBlocks', true);
		await profile(api, 'findings/loop-blocked.cjs');
		await setSetting('sampleBlocks', false);
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
		await click('vscode-panel-tab#findings', PANEL);
		const evidence = await until('the finding', () => {
			const { tab, findings = [] } = api.panelState() ?? {};
			return tab === 'findings' && findings.find(([title]) => title === FINDING_TITLES['loop-blocked'])?.[1];
		});
		// It asks Node for its time meanwhile, and samples may fall there.
		assert.match(
			evidence,
			/^Code that ran longest: compute \S*loop-blocked\.cjs:\d+(?: → cpuUsage)?\. Blocked the event loop /,
		);
	});

	it('with others of the same cause has them below it in the tree', async function () {
		if (!seesWindow) this.skip();
		await profile(api, 'findings/serial-loop.cjs');
		await showTree();
		const titles = async () => (await treeRows()).map(({ text }) => text);
		const starts = async (title: string) => (await titles()).some((text) => text.startsWith(title));
		await until('the finding', () => starts(FINDING_TITLES['n-plus-one']));
		assert.equal(await starts(FINDING_TITLES['serial-loop']), false, 'not an entry of its own');
		await click(`${rowOf(FINDING_TITLES['n-plus-one'])} .monaco-tl-twistie`);
		await until('its effect', () => starts(FINDING_TITLES['serial-loop']));
	});
});
