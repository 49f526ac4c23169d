// A program that costs the tracer more than its budget: wherever the figures are shown, the reader learns that they are
// a sample's.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { formatRoundedCount } from '../../../src/protocol/units.ts';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { entryOf, fileOf, lineWith, open, setSetting, showDetails, until, waitline } from './editor.ts';
import { debug, type Launch, stopAll } from './session.ts';
import { hoverAfter, inWindow, press, seenLines, seesWindow, tooltipOf } from './window.ts';

const PROGRAM = 'at-rate.cjs';
/** At first the tracer times fewer operations; later it records for some of the time. */
const NOTICE =
	/Profiling overhead reached [\d.]+ %, above the limit(\. Since [\d.]+ \w+, only a sample of operations is timed; counts stay exact|: sampled \d+ % of the time; counts \(≈\) are extrapolated)\./;

describe('a program over its budget', () => {
	let api: WaitlineApi;
	let launch: Launch;
	const stopFile = () => fileOf('stop the many');

	before(async () => {
		api = await waitline();
		await setSetting('budgetPercent', 0.05);
		await open(fileOf(PROGRAM));
		launch = await debug(PROGRAM, { env: { RATE: '10000', STOP_FILE: stopFile() }, [PROFILE_MARK]: true });
	});
	after(async () => {
		await setSetting('budgetPercent', undefined);
		await stopAll();
		rmSync(stopFile(), { force: true });
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	/** Texts of the hovers that are open. */
	const hovers = () =>
		inWindow(
			() => [...document.querySelectorAll('.monaco-hover')].map((each) => each.textContent ?? '').join('\n'),
			undefined,
		);

	it('is marked in the panel while it runs', async () => {
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the notice', () => api.panelState()?.notices.some((notice) => NOTICE.test(notice)));
		await screenshotInEveryTheme('budget-panel');
	});

	it("is marked in the status bar's tooltip", async function () {
		if (!seesWindow) this.skip();
		const show = () =>
			tooltipOf('.statusbar-item:has-text("loop"):has-text("%")', '.titlebar', async () => NOTICE.test(await hovers()));
		await show();
		await screenshotInEveryTheme('budget-status-bar', show);
		await press('Escape');
	});

	it('is marked in the hover of a line, whose count is exact or marked', async function () {
		writeFileSync(stopFile(), '');
		await launch.end();
		await until('the end of the profile', () => !api.live());
		const line = lineWith(fileOf(PROGRAM), 'fs.stat(__filename');
		const immediate = lineWith(fileOf(PROGRAM), 'setImmediate(done)');
		const started = Number(readFileSync(stopFile(), 'utf8'));
		const timers = entryOf(api.report(), fileOf(PROGRAM), immediate, 'setImmediate');
		assert.ok(timers.sampledOf > 1);
		const stats = entryOf(api.report(), fileOf(PROGRAM), line, 'fs.stat');
		// On a slow machine the tests above take long enough for the tracer to rest.
		if (timers.isCountEstimated) assert.ok(stats.isCountEstimated);
		else {
			assert.equal(timers.count + timers.pending, started / 10);
			assert.equal(stats.sampledOf, 1, 'jobs of the pool are all recorded');
		}
		if (!seesWindow) this.skip();
		const editor = await open(fileOf(PROGRAM));
		const { text: last } = await until('the annotation of all', () =>
			api
				.annotations(fileOf(PROGRAM))
				.find(
					(each) =>
						each.line === immediate &&
						each.text.includes(`×${timers.isCountEstimated ? '≈' : ''}${formatRoundedCount(timers.count)} `),
				),
		);
		const annotated = await until('the text behind the line', async () =>
			(await seenLines()).find((seen) => seen.line === immediate && seen.after === last),
		);
		await hoverAfter(annotated);
		const text = await until('the hover', async () => {
			const now = await hovers();
			return /1 in \d+ operations timed/.test(now) ? now : undefined;
		});
		assert.match(text, /extrapolated/);
		assert.doesNotMatch(text, /± 0/);
		await screenshotInEveryTheme('budget-hover', () => showDetails(editor, immediate));
		await press('Escape');
	});
});
