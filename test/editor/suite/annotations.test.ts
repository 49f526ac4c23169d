// The lines' texts, icons and marks: what they say under each setting, and that they follow the document's edits. One session
// gives the figures; every test looks at them its own way.
import assert from 'node:assert/strict';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { compareWall } from '../../../src/protocol/latency.ts';
import { formatFigure } from '../../../src/protocol/units.ts';
import { type GutterIcon, gutterOptions } from '../../../src/vscode/annotations/gutter-icons.ts';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { contrast, LEAST_CONTRAST } from '../../support/contrast.ts';
import { COLOR_THEMES, screenshotInBothWidths, screenshotInEveryTheme, setTheme } from './color-themes.ts';
import {
	EXTENSION_ID,
	entryOf,
	eventually,
	fileOf,
	lineWith,
	open,
	setSetting,
	showDetails,
	until,
	waitline,
} from './editor.ts';
import { debug, stopAll } from './session.ts';
import { hoverAfter, inWindow, screenshot, seenIcons, seenLines, seesWindow } from './window.ts';

const KINDS = 'kinds.cjs';
type ThemeKind = (typeof COLOR_THEMES)[number]['kind'];
const THEME_KINDS: Record<vscode.ColorThemeKind, ThemeKind> = {
	[vscode.ColorThemeKind.Light]: 'light',
	[vscode.ColorThemeKind.Dark]: 'dark',
	[vscode.ColorThemeKind.HighContrast]: 'highContrast',
	[vscode.ColorThemeKind.HighContrastLight]: 'highContrastLight',
};
const SETTINGS = ['template', 'figures', 'thresholdMs', 'followCursor', 'gutter', 'overviewRuler', 'lineBackground'];

describe('line annotations', () => {
	let api: WaitlineApi;
	let file: string;
	/** 1-based lines by their code. */
	let at: Record<'hash' | 'timer' | 'mixed' | 'spin' | 'immediate', number>;

	const texts = () => new Map(api.annotations(file).map(({ line, text }) => [line, text]));
	/** The texts in the window, by line. */
	const seen = async () =>
		new Map((await seenLines()).filter((each) => each.after !== '').map((each) => [each.line, each.after]));

	/** Waits until the window shows these texts and no other. */
	async function shows(what: string, expected: () => Map<number, string>): Promise<void> {
		if (!seesWindow) return;
		await until(what, async () => {
			const shown = await seen();
			const wanted = expected();
			return shown.size === wanted.size && [...wanted].every(([line, text]) => shown.get(line) === text);
		});
	}

	/** Waits until a line's annotation, as the API returns it, matches. */
	const says = (line: number, pattern: RegExp) =>
		until(`${pattern} on line ${line}`, () => pattern.exec(texts().get(line) ?? '')?.[0]);

	before(async () => {
		api = await waitline();
		file = fileOf(KINDS);
		at = {
			hash: lineWith(file, 'crypto.pbkdf2('),
			timer: lineWith(file, 'setTimeout(done, 400)'),
			mixed: lineWith(file, 'fs.readFile('),
			spin: lineWith(file, 'setTimeout(spin'),
			immediate: lineWith(file, 'setImmediate('),
		};
		// Stack samples would name the line that computed, whenever there is one.
		await setSetting('sampleBlocks', false);
		await open(file);
		const launch = await debug(KINDS, { [PROFILE_MARK]: true });
		await launch.end();
		await until('the end of the profile', () => !api.live());
		await until('five annotations', () => texts().size === 5);
	});
	after(async () => {
		await setSetting('sampleBlocks', undefined);
		await stopAll();
	});

	it('are also shown in a file that the window has from another machine', async function () {
		// The tests' own window is one that has all its files from a server; a desktop VS Code has them from the disk.
		if (!seesWindow) this.skip();
		assert.ok(vscode.env.remoteName !== undefined);
		const files = await inWindow(
			() =>
				[...document.querySelectorAll<HTMLElement>('.editor-instance .monaco-editor')].map(
					(editor) => editor.dataset.uri ?? '',
				),
			undefined,
		);
		assert.equal(files.length, 1);
		assert.match(files[0]!, /^vscode-remote:\/\//);
		assert.ok(files[0]!.endsWith(encodeURI(KINDS)), files[0]);
		await shows('all behind their lines', texts);
	});
	beforeEach(() => open(file));
	afterEach(async () => {
		for (const name of SETTINGS) await setSetting(`annotations.${name}`, name === 'thresholdMs' ? 0 : undefined);
		await vscode.commands.executeCommand('workbench.action.files.revert');
	});

	it('say what each line waited for, and after which wait the loop was blocked', async () => {
		// The start of the program may block the loop too, on the line whose callback it delays.
		await says(at.hash, /^◷ p50\s.+ · p95\s.+ ·\s+×1 threadpool [░█▒╱─]{8}(?: {2}■ .+)?$/);
		await says(at.timer, /^◷ late p50\s.+ · p95\s.+ ·\s+×1 timer$/);
		await says(
			at.spin,
			/^◷ late p50\s.+ ·\s+×1 timer {2}■ code after this wait blocked the loop (?:[1-9]\d\d ms|[\d.]+ s)/,
		);
		await shows('the texts', texts);
		await screenshot('annotations');
	});

	it('merge the operations of a line', () => {
		const report = api.report()!;
		const read = entryOf(report, file, at.mixed, 'fs.readFile');
		const text = texts().get(at.mixed)!;
		assert.match(text, /×1 timer/);
		assert.match(text, /×1 threadpool/);
		// Of the timer beside it only the lateness would count.
		assert.ok(text.includes(formatFigure(read.wait, 'p50Ms')), text);
	});

	it('follow a template, whose unknown names are reported', async () => {
		await setSetting('annotations.template', '{class}: {wait} {nothing}');
		assert.match(await says(at.hash, /^threadpool: total wait .*$/), / ms$|^threadpool: total wait \S+ s$/);
		await shows('the texts of the template', texts);
		if (!seesWindow) return;
		await vscode.commands.executeCommand('notifications.showList');
		await until('the notice', () =>
			inWindow(() => {
				const all = [...document.querySelectorAll('.notifications-center .notification-list-item-message')];
				return all.filter((each) => each.textContent?.includes('contains {nothing}, which is unknown')).length === 1;
			}, undefined),
		);
		await screenshotInEveryTheme('template-notice');
		await vscode.commands.executeCommand('notifications.clearAll');
	});

	it('show shares when the setting demands them', async () => {
		await setSetting('annotations.figures', 'percent');
		const shares = await until('a share on every line that waited', () => {
			const found = [...texts().values()].map((text) => /◷ ≈?<?([\d.]+) %/.exec(text)?.[1]);
			return found.every((share) => share !== undefined) ? found.map(Number) : undefined;
		});
		const sum = shares.reduce((a, b) => a + b, 0);
		assert.ok(sum > 98 && sum < 102, `${shares}`);
		await setSetting('annotations.figures', 'both');
		await says(at.hash, /p95\s.+, \d\d %/);
		await shows('both', texts);
		await screenshotInEveryTheme('annotations-shares');
	});

	it('leave out what is below the threshold', async () => {
		const { lines, loops } = api.report()!;
		const weightOf = (line: number) => {
			const entries = lines.filter((each) => each.file === file && each.line === line);
			const blocks = loops.flatMap((loop) => loop.blocks.filter((each) => each.file === file && each.line === line));
			const times = entries.flatMap(({ wallMs, run }) => [wallMs, run?.totalMs ?? 0]);
			return Math.max(...times, ...blocks.map(({ durationMs }) => durationMs));
		};
		// Which line has the least, the immediate's or another, is as the machine makes it.
		const weights = Object.values(at).map(weightOf);
		const threshold = (Math.min(...weights) + Math.max(...weights)) / 2;
		const expected = Object.values(at).filter((line) => weightOf(line) >= threshold);
		assert.ok(expected.length > 0 && expected.length < 5, `${weights}`);
		await setSetting('annotations.thresholdMs', threshold);
		await eventually(
			expected.sort((a, b) => a - b),
			() => [...texts().keys()],
		);
		await shows('the other texts', texts);
	});

	it('follow the cursor when asked to; the gutter shows all', async function () {
		if (!seesWindow) this.skip();
		const { activeTextEditor: editor } = vscode.window;
		const go = (line: number) => {
			editor!.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
		};
		go(at.timer);
		await setSetting('annotations.followCursor', 'activeLine');
		await shows('the text of one line', () => new Map([[at.timer, texts().get(at.timer)!]]));
		go(at.hash);
		await shows('the text of another', () => new Map([[at.hash, texts().get(at.hash)!]]));
		await until('an icon on each line', async () => (await seenIcons()).length === 5);
		await screenshotInEveryTheme('annotations-cursor');
		await setSetting('annotations.followCursor', 'allLinesExceptActive');
		await shows('all others', () => new Map([...texts()].filter(([line]) => line !== at.hash)));
	});

	it('have an icon per class, or bars, or nothing in the gutter', async function () {
		if (!seesWindow) this.skip();
		const report = api.report()!;
		const blocked = new Set(report.loops.flatMap(({ blocks }) => blocks.map(({ line }) => line)));
		const classOf = (line: number) => {
			const entries = report.lines.filter((each) => each.line === line);
			return entries.toSorted(compareWall)[0]!.class;
		};
		const icons = Object.values(at).map((line): [number, GutterIcon] => [
			line,
			blocked.has(line) ? 'block' : classOf(line),
		]);
		// On a busy machine a line more may have blocked the loop.
		assert.ok(new Set(icons.map(([, icon]) => icon)).size >= 2, JSON.stringify(icons));
		await iconsAre('icons of the classes', icons);
		await setSetting('annotations.gutter', 'heat');
		const bars = Object.values(at).map((line): [number, GutterIcon] => [line, barOf(line)]);
		assert.ok(new Set(bars.map(([, bar]) => bar)).size >= 2, JSON.stringify(bars));
		await iconsAre('bars', bars);
		await setSetting('annotations.lineBackground', true);
		await screenshotInEveryTheme('annotations-heat');
		await setSetting('annotations.gutter', 'off');
		await iconsAre('nothing', []);
	});

	it('are beside a breakpoint, not on it', async function () {
		if (!seesWindow) this.skip();
		const place = new vscode.Location(vscode.Uri.file(file), new vscode.Position(at.timer - 1, 0));
		const breakpoint = new vscode.SourceBreakpoint(place);
		vscode.debug.addBreakpoints([breakpoint]);
		try {
			await until('both in the gutter', () =>
				inWindow(() => {
					const glyphs = [...document.querySelectorAll<HTMLElement>('.glyph-margin-widgets > div')];
					const dot = glyphs.find((each) => /codicon-debug-breakpoint/.test(each.className));
					return glyphs.some(
						(each) =>
							dot !== undefined &&
							each !== dot &&
							each.style.top === dot.style.top &&
							each.getBoundingClientRect().right <= dot.getBoundingClientRect().left + 1,
					);
				}, undefined),
			);
			await screenshotInEveryTheme('annotations-breakpoint');
		} finally {
			vscode.debug.removeBreakpoints([breakpoint]);
		}
	});

	it('are marked beside the scroll bar', async function () {
		if (!seesWindow) this.skip();
		const block = contributedColor('waitline.overviewRulerBlock', THEME_KINDS[vscode.window.activeColorTheme.kind]);
		/** Painted points in the middle and at the right of the ruler, and those in the colour of a blocked loop. */
		const painted = () =>
			inWindow((block) => {
				const canvas = document.querySelector<HTMLCanvasElement>('canvas.decorationsOverviewRuler')!;
				const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
				const found = [0, 0, 0];
				let blocks = 0;
				for (let index = 0; index < data.length / 4; index++) {
					const point = [...data.subarray(4 * index, 4 * index + 4)];
					if (point[3]! > 0) found[Math.floor((3 * (index % canvas.width)) / canvas.width)]!++;
					if (block.every((channel, at) => point[at] === channel)) blocks++;
				}
				return { middle: found[1]!, right: found[2]!, blocks };
			}, block);
		await until('the mark of the blocked loop', async () => (await painted()).blocks > 0);
		await setSetting('annotations.overviewRuler', false);
		const without = await until('a ruler without it that stays as it is', async () => {
			const first = await painted();
			await sleep(300);
			return first.blocks === 0 && isDeepStrictEqual(first, await painted()) ? first : undefined;
		});
		await setSetting('annotations.overviewRuler', true);
		await until('marks of waits in the middle, of the blocked loop at the right', async () => {
			const { middle, right } = await painted();
			return middle > without.middle && right > without.right;
		});
		await setSetting('annotations.overviewRuler', false);
		await until('no marks', async () => isDeepStrictEqual(await painted(), without));
	});

	it('are switched off and on by a command, in the language where that is set', async () => {
		const editor = vscode.workspace.getConfiguration('waitline', { languageId: 'javascript' });
		await vscode.commands.executeCommand('waitline.toggleAnnotations');
		await until('no annotation', () => texts().size === 0);
		await shows('no text', () => new Map());
		if (seesWindow) await until('no icon', async () => (await seenIcons()).length === 0);
		await vscode.commands.executeCommand('waitline.toggleAnnotations');
		await until('all annotations', () => texts().size === 5);
		try {
			await editor.update('annotations.enabled', false, vscode.ConfigurationTarget.Global, true);
			await until('none in JavaScript', () => texts().size === 0);
			await vscode.commands.executeCommand('waitline.toggleAnnotations');
			await until('all in JavaScript', () => texts().size === 5);
		} finally {
			await editor.update('annotations.enabled', undefined, vscode.ConfigurationTarget.Global, true);
			await setSetting('annotations.enabled', undefined);
		}
	});

	it('say that a line was edited since, until the edit is undone', async () => {
		const editor = vscode.window.activeTextEditor!;
		const original = texts().get(at.timer)!;
		await editor.edit((edit) => edit.insert(new vscode.Position(at.timer - 1, 0), 'if (true) '));
		await setSetting('annotations.lineBackground', true);
		await setSetting('annotations.gutter', 'heat');
		await says(at.timer, /\(edited since\)$/);
		assert.doesNotMatch(texts().get(at.hash)!, /edited/);
		await shows('the edited line', texts);
		if (seesWindow) {
			const lines = await seenLines();
			const colorOf = (line: number) => lines.find((each) => each.line === line)!.color;
			assert.notEqual(colorOf(at.timer), colorOf(at.hash), 'dimmed');
			await until('a dimmed icon, on that line alone', async () => {
				const icons = new Map((await seenIcons()).map(({ line, picture }) => [line, picture]));
				return isPicture(icons.get(at.timer), barOf(at.timer), true) && isPicture(icons.get(at.spin), 'block');
			});
			await eventually([at.hash], async () =>
				(await linesWithBackground()).filter((line) => line === at.timer || line === at.hash),
			);
			await hoverAfter(lines.find((each) => each.line === at.timer)!);
			await until('the hover to say it', () =>
				inWindow(
					() =>
						[...document.querySelectorAll('.monaco-hover')].some((each) =>
							/edited\safter\sit\sran.*setTimeout/s.test(each.textContent ?? ''),
						),
					undefined,
				),
			);
			await screenshotInEveryTheme('annotations-edited', () => showDetails(editor, at.timer));
		}
		editor.selection = new vscode.Selection(at.timer - 1, 0, at.timer - 1, 0);
		await vscode.commands.executeCommand('waitline.copyLine');
		const copied = await vscode.env.clipboard.readText();
		assert.match(copied, /^\*\*kinds\.cjs:\d+\*\*\n\nThis line was edited after it ran\..*setTimeout/s);
		await vscode.commands.executeCommand('undo');
		await until('the first text', () => texts().get(at.timer) === original);
		if (seesWindow) await until('its heat', async () => (await linesWithBackground()).includes(at.timer));
		await shows('the texts as before', texts);
	});

	it('follow lines that are moved, deleted and brought back', async () => {
		const editor = vscode.window.activeTextEditor!;
		editor.selection = new vscode.Selection(at.timer - 1, 0, at.timer - 1, 0);
		const original = texts();
		await vscode.commands.executeCommand('editor.action.moveLinesUpAction');
		await until('the moved line', () => texts().get(at.timer - 1) === original.get(at.timer));
		await shows('the moved texts', texts);
		assert.equal(texts().get(at.hash + 1), original.get(at.hash));
		await vscode.commands.executeCommand('undo');
		editor.selection = new vscode.Selection(at.timer - 1, 0, at.timer - 1, 0);
		await vscode.commands.executeCommand('editor.action.deleteLines');
		await until('one annotation less', () => texts().size === 4);
		await shows('the texts that are left', texts);
		await vscode.commands.executeCommand('undo');
		await until('all as before', () => JSON.stringify([...texts()]) === JSON.stringify([...original]));
		await shows('all texts', texts);
	});

	it('are right in a file that was changed while it was closed', async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		const original = texts();
		const uri = vscode.Uri.file(file);
		const before = await vscode.workspace.fs.readFile(uri);
		try {
			await vscode.workspace.fs.writeFile(uri, Buffer.concat([Buffer.from('// new\n'), before]));
			await open(file);
			await until('the annotations one line below', () => texts().get(at.hash + 1) === original.get(at.hash));
			await shows('them in the window', texts);
		} finally {
			await vscode.workspace.fs.writeFile(uri, before);
		}
		await until('the annotations where they were', () => texts().get(at.hash) === original.get(at.hash));
	});

	it('are shown in both editors of a split', async function () {
		if (!seesWindow) this.skip();
		await vscode.commands.executeCommand('workbench.action.splitEditor');
		await until('the texts twice', async () => {
			const shown = (await seenLines()).filter((each) => each.after !== '');
			return shown.length === 2 * texts().size;
		});
		await screenshotInEveryTheme('annotations-split');
	});

	it('are shown on the side of a comparison that is the file', async function () {
		if (!seesWindow) this.skip();
		const content = vscode.workspace.registerTextDocumentContentProvider('older', {
			provideTextDocumentContent: () => 'setTimeout(done, 400);\n',
		});
		const copy = fileOf('kinds copy.cjs');
		copyFileSync(file, copy);
		try {
			for (const other of [vscode.Uri.file(file).with({ scheme: 'older' }), vscode.Uri.file(copy)]) {
				await vscode.commands.executeCommand('workbench.action.closeAllEditors');
				await vscode.commands.executeCommand('vscode.diff', other, vscode.Uri.file(file), 'comparison');
				await until('texts on one side', async () => {
					const texts = await inWindow(
						() =>
							['.editor.original', '.editor.modified'].map(
								(side) =>
									[...document.querySelectorAll(`${side} .view-line span`)].filter((span) =>
										getComputedStyle(span, '::after').content.includes('◷'),
									).length,
							),
						undefined,
					);
					return texts[0] === 0 && texts[1]! > 0;
				});
			}
			await screenshotInEveryTheme('annotations-comparison');
		} finally {
			content.dispose();
			rmSync(copy);
		}
	});

	it('are no matter in an untitled file', async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		const document = await vscode.workspace.openTextDocument({ language: 'javascript', content: 'setTimeout(done);' });
		const editor = await vscode.window.showTextDocument(document);
		await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n\n'));
		assert.deepEqual(api.annotations(document.uri.toString()), []);
		await shows('no text', () => new Map());
	});

	for (const theme of COLOR_THEMES) {
		it(`can be read in "${theme.name}"`, async function () {
			if (!seesWindow) this.skip();
			const colors = contributedColors(theme.kind);
			// One of the lines in the third colour that a text can have.
			await vscode.window.activeTextEditor!.edit((edit) => edit.insert(new vscode.Position(at.timer - 1, 0), 'void '));
			try {
				await setTheme(theme);
				const contrasts = await until('texts in its colours', async () => {
					const lines = (await seenLines()).filter((each) => each.after !== '');
					const background = await inWindow(
						() =>
							getComputedStyle(document.querySelector('.editor-instance .monaco-editor-background')!).backgroundColor,
						undefined,
					);
					if (lines.length !== 5 || !lines.every((each) => colors.has(each.color))) return undefined;
					return lines.map((each) => contrast(channels(each.color), channels(background)));
				});
				for (const ratio of contrasts) assert.ok(ratio >= LEAST_CONTRAST, `${contrasts}`);
				await screenshotInBothWidths(`annotations-${theme.kind}`);
			} finally {
				await setTheme(undefined);
			}
		});
	}

	/** Lines that have a colour of heat over their whole width, ascending. */
	async function linesWithBackground(): Promise<number[]> {
		return inWindow(() => {
			const numbers = new Map<string, number>();
			for (const row of document.querySelectorAll<HTMLElement>('.margin-view-overlays > div')) {
				numbers.set(row.style.top, Number(row.querySelector('.line-numbers')?.textContent));
			}
			return [...document.querySelectorAll<HTMLElement>('.view-overlays > div')].flatMap((row) =>
				[...row.querySelectorAll('.cdr')].some((each) => getComputedStyle(each).backgroundColor !== 'rgba(0, 0, 0, 0)')
					? [numbers.get(row.style.top) ?? 0]
					: [],
			);
		}, undefined);
	}

	/** The bar that a line is to have: by its share of the time that lines were under way, which is another one on a busy machine. */
	function barOf(line: number): GutterIcon {
		const { lines, loops } = api.report()!;
		if (loops.some(({ blocks }) => blocks.some((block) => block.file === file && block.line === line))) return 'block';
		const wallOf = (of: number) => Math.max(...lines.filter((each) => each.line === of).map(({ wallMs }) => wallMs));
		const all = [...new Set(lines.map((each) => each.line))].reduce((sum, each) => sum + wallOf(each), 0);
		const share = wallOf(line) / all;
		if (share >= 0.3) return 'heat4';
		if (share >= 0.1) return 'heat3';
		return share >= 0.01 ? 'heat2' : 'heat1';
	}

	async function iconsAre(what: string, icons: [number, GutterIcon][]): Promise<void> {
		await until(what, async () => {
			const seen = await seenIcons();
			return (
				seen.length === icons.length &&
				icons.every(([line, icon]) => isPicture(seen.find((each) => each.line === line)?.picture, icon))
			);
		});
	}
});

describe('10,000 annotated lines', () => {
	const LINES = 10_000;
	/** An editor of this window shows less than 60 lines, each with a text and an icon; as many again around them. */
	const MOST_SENT = 4 * 60;
	let api: WaitlineApi;
	let file: string;
	let editor: vscode.TextEditor;

	before(async () => {
		api = await waitline();
		file = fileOf('ten-thousand.cjs');
		writeFileSync(file, Array.from({ length: LINES }, (_, index) => `setTimeout(Boolean, 1, ${index});\n`).join(''));
		editor = await open(file);
		const launch = await debug('ten-thousand.cjs', { [PROFILE_MARK]: true });
		await launch.end();
		await until('the end of the profile', () => !api.live());
		await until('all annotations', () => api.annotations(file).length === LINES);
		await rest();
	});
	after(async () => {
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await open(fileOf(KINDS));
		rmSync(file);
	});

	/** Waits until nothing more is sent to the editor. */
	async function rest(): Promise<number> {
		return until('no more drawing', async () => {
			const before = api.decorationsSent();
			await sleep(1500);
			return api.decorationsSent() === before ? before : undefined;
		});
	}

	/** What is sent to the editor because of `change`. */
	async function sentFor(change: () => unknown): Promise<number> {
		const before = await rest();
		await change();
		await until('drawing', () => api.decorationsSent() > before);
		return (await rest()) - before;
	}

	it('cost an edit no more than the window shows', async () => {
		const at = new vscode.Position(LINES / 2, 0);
		editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
		// What comes into view is drawn, and is not what the edit costs.
		await until('the line in view', () => editor.visibleRanges.some((range) => range.contains(at)));
		const inside = await sentFor(() => editor.edit((edit) => edit.insert(at, '/* edited */ ')));
		assert.ok(inside < MOST_SENT, `${inside} decorations for an edit in a line`);
		const above = await sentFor(() => editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n\n')));
		assert.ok(above < MOST_SENT, `${above} decorations for lines inserted above`);
		assert.match(api.annotations(file)[LINES / 2]!.text, /edited since/);
		assert.equal(api.annotations(file)[LINES - 1]!.line, LINES + 2);
	});

	it('are not drawn while a person types', async () => {
		await setSetting('annotations.updateDelayMs', 60_000);
		// Typing brings the cursor into view, and lines that come into view are drawn.
		const { end } = editor.visibleRanges[0]!;
		const at = editor.document.lineAt(end.line - 20).range.end;
		editor.selection = new vscode.Selection(at, at);
		try {
			const before = await rest();
			for (let key = 0; key < 10; key++) {
				await vscode.commands.executeCommand('type', { text: key % 5 === 4 ? '\n' : 'x' });
			}
			assert.equal(api.decorationsSent(), before);
		} finally {
			await setSetting('annotations.updateDelayMs', undefined);
		}
		assert.ok((await sentFor(() => vscode.commands.executeCommand('type', { text: '\n' }))) > 0);
	});

	it('are there where one scrolls to', async function () {
		const at = new vscode.Position(LINES - 100, 0);
		const sent = await sentFor(() =>
			editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter),
		);
		assert.ok(sent < MOST_SENT, `${sent} decorations for another part of the file`);
		if (!seesWindow) this.skip();
		await until('a text behind every line', async () => {
			const shown = await seenLines();
			return shown.some(({ line }) => line === LINES - 99) && shown.every(({ after }) => after !== '');
		});
	});
});

describe('a file that is edited while the program runs, before it has waited for anything', () => {
	const LATER = 'later.cjs';
	const USED = 'used-later.cjs';
	/** A copy for each test: the editor may keep a file's text for a while after it was closed. */
	const copies = { 'before the program starts': 'used-later-1.cjs', 'after it has started': 'used-later-2.cjs' };

	before(async () => {
		await waitline();
		for (const copy of Object.values(copies)) copyFileSync(fileOf(USED), fileOf(copy));
	});
	after(async () => {
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		for (const file of [...Object.values(copies), 'go']) rmSync(fileOf(file), { force: true });
	});

	for (const [when, used] of Object.entries(copies)) {
		it(`keeps its figures on the lines that ran, when it is opened ${when}`, async () => {
			const api = await waitline();
			rmSync(fileOf('go'), { force: true });
			await open(when.startsWith('before') ? fileOf(used) : fileOf(KINDS));
			const [stat, read] = ['fs.stat(', 'fs.readFile('].map((text) => lineWith(fileOf(used), text));
			const launch = await debug(LATER, {
				env: { GO_FILE: fileOf('go'), USED_FILE: fileOf(used) },
				[PROFILE_MARK]: true,
			});
			await until('its timer', () =>
				api.report()?.lines.some(({ file, count }) => file === fileOf(LATER) && count > 2),
			);
			const editor = await open(fileOf(used));
			await editor.edit((edit) => {
				edit.insert(new vscode.Position(0, 0), '// new\n// lines\n');
				edit.insert(new vscode.Position(read! - 1, 0), '/* edited */');
			});
			assert.ok(await editor.document.save());
			writeFileSync(fileOf('go'), '');
			await launch.end();
			await until('both lines, one of them edited', () => {
				// Another line may have a block, where the machine stopped.
				const waited = api.annotations(fileOf(used)).filter(({ text }) => text.includes('threadpool'));
				const seen = waited.map(({ line, text }) => [line, /edited since/.test(text)]);
				return isDeepStrictEqual(seen, [
					[stat! + 2, false],
					[read! + 2, true],
				]);
			});
		});
	}
});

function isPicture(picture: string | undefined, icon: GutterIcon, dimmed = false): boolean {
	const { dark, light } = gutterOptions(icon, dimmed);
	return [dark, light].some((each) => (each!.gutterIconPath as vscode.Uri).toString(true) === picture);
}

/** The colours that the manifest gives to the texts in a kind of theme, as styles have them. */
function contributedColors(kind: ThemeKind): Set<string> {
	const texts = contributed().filter(({ id }) => id.endsWith('Foreground'));
	return new Set(texts.map(({ id }) => `rgb(${contributedColor(id, kind).join(', ')})`));
}

/** A colour that the manifest gives in a kind of theme. @returns its channels, from 0 to 255 */
function contributedColor(id: string, kind: ThemeKind): number[] {
	const { defaults } = contributed().find((each) => each.id === id)!;
	return defaults[kind]!.match(/\w\w/g)!.map((channel) => Number.parseInt(channel, 16));
}

function contributed(): { id: string; defaults: Record<string, string> }[] {
	const manifest = vscode.extensions.getExtension(EXTENSION_ID)!.packageJSON as {
		contributes: { colors: { id: string; defaults: Record<string, string> }[] };
	};
	return manifest.contributes.colors;
}

/** Of a colour as styles have it, `rgb(…)`. */
function channels(color: string): number[] {
	return color.match(/[\d.]+/g)!.map(Number);
}
