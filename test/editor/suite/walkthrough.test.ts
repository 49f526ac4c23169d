// The first run: the walkthrough's pages and pictures, and the sample that it ends with.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COLOR_THEMES, type ColorTheme, screenshotInEveryTheme, setTheme } from './color-themes.ts';
import { EXTENSION_ID, until, waitline } from './editor.ts';
import { FINDING_TITLES } from './finding-titles.ts';
import { launched, stopAll } from './session.ts';
import { click, inWebview, inWindow, seesWindow } from './window.ts';

/** Whether a webview with that element is there. */
async function seen(selector: string): Promise<boolean> {
	return (await inWebview(selector, () => true)) === true;
}

const WALKTHROUGH = `${EXTENSION_ID}#waitline.walkthrough`;

describe('the walkthrough', () => {
	after(async () => {
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	/** Opens a step and waits for its picture or page, which is a webview. */
	async function openStep(step: string, title: string, mediaSelector: string): Promise<void> {
		await vscode.commands.executeCommand('workbench.action.openWalkthrough', { category: WALKTHROUGH, step });
		await until(`the step "${step}"`, () =>
			inWindow(
				(wanted) =>
					document.querySelector('.getting-started-step.expanded .step-title')?.textContent?.trim() === wanted,
				title,
			),
		);
		await until(`what belongs to "${step}"`, () => seen(mediaSelector));
	}

	for (const [step, title, picture] of [
		['lines', 'Read what a line waits for', 'svg[height="140"]'],
		['path', 'Follow one operation', 'svg[height="300"]'],
		['sample', 'Profile a sample', 'svg[height="220"]'],
	] as const) {
		it(`shows a picture in the theme's colours at the step "${step}"`, async function () {
			if (!seesWindow) this.skip();
			await openStep(step, title, picture);
			const colourIn = async (theme: ColorTheme) => {
				await setTheme(theme);
				return until(`the picture in "${theme.name}"`, async () => {
					const seen = await inWebview(picture, () => ({
						kind: document.body.className,
						colours: [...document.querySelectorAll('svg text')].map((text) => getComputedStyle(text).fill).join(),
					}));
					return seen?.kind.split(' ').includes(theme.webview) ? seen.colours : undefined;
				});
			};
			const [dark, light] = COLOR_THEMES;
			assert.notEqual(await colourIn(dark!), await colourIn(light!));
			await screenshotInEveryTheme(`walkthrough-${step}`);
		});
	}

	it('explains every finding', async function () {
		if (!seesWindow) this.skip();
		await openStep('findings', 'Understand the findings', 'h2');
		const headings = await inWindow(
			() => [...document.querySelectorAll('h2')].map((heading) => heading.textContent),
			undefined,
			{ webviewWith: 'h2' },
		);
		assert.deepEqual(headings.sort(), Object.values(FINDING_TITLES).sort());
		await screenshotInEveryTheme('walkthrough-findings');
	});

	it('ends in a profiled sample, whose lines say what they waited for', async () => {
		const launch = await launched(async () => {
			if (!seesWindow) return vscode.commands.executeCommand('waitline.profileSample');
			await openStep('sample', 'Profile a sample', 'svg[height="220"]');
			await click('.getting-started-step.expanded .monaco-button:has-text("Profile the Sample")');
		});
		const file = launch.root.configuration.program as string;
		assert.match(file, /hashes\.cjs$/);
		await launch.end();
		const api = await waitline();
		const text = await vscode.workspace.openTextDocument(file);
		const hashes =
			text
				.getText()
				.split('\n')
				.findIndex((line) => line.includes('crypto.pbkdf2')) + 1;
		await until('the whole of the hashes behind their line', () =>
			api.annotations(file).some((at) => at.line === hashes && /p50\s.*×5 threadpool [░█▒╱─]{8}/.test(at.text)),
		);
		assert.equal(api.report()?.pools[0]?.size, 2);
		await screenshotInEveryTheme('walkthrough-sample-profiled');
		if (!seesWindow) return;
		await openStep('sample', 'Profile a sample', 'svg[height="220"]');
		await until('the step to be ticked', () =>
			inWindow(() => document.querySelector('.getting-started-step.expanded .codicon.complete') !== null, undefined),
		);
		await vscode.window.showTextDocument(text);
	});

	it('leaves a sample as the person changed it', async () => {
		const file = vscode.window.activeTextEditor?.document.uri;
		assert.ok(file);
		const original = await vscode.workspace.fs.readFile(file);
		await vscode.workspace.fs.writeFile(file, Buffer.from(`${original}\n// mine\n`));
		try {
			const launch = await launched(() => vscode.commands.executeCommand('waitline.profileSample'));
			await launch.end();
			assert.match(String(await vscode.workspace.fs.readFile(file)), /\/\/ mine/);
		} finally {
			await vscode.workspace.fs.writeFile(file, original);
		}
	});
});
