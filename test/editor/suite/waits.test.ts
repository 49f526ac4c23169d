// The hover and the tree "Async I/O": what they say of a profiled program, in the window, and what their commands do.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { compareWall } from '../../../src/protocol/latency.ts';
import type { Line } from '../../../src/protocol/report.ts';
import { formatCount, formatFigure, formatMs, formatRange, formatTotal } from '../../../src/protocol/units.ts';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { groupsOf } from '../../../src/vscode/tree/waits-model.ts';
import { blockedFor } from './blocked-for.ts';
import { COLOR_THEMES, screenshotInBothWidths, screenshotInEveryTheme, setTheme } from './color-themes.ts';
import { entryOf, eventually, fileOf, lineWith, open, setSetting, showDetails, until, waitline } from './editor.ts';
import { debug, profile, stopAll } from './session.ts';
import { rowOf, showTree, titleAction, treeRows } from './tree.ts';
import {
	choose,
	click,
	hover,
	hoverAfter,
	inWindow,
	press,
	quickPickRows,
	screenshot,
	seenLines,
	seesWindow,
	tooltipOf,
} from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
const MIXTURE = 'mixture.cjs';
const BLOCKS = 'blocks.cjs';

/** The content of a hover in the window. */
interface SeenHover {
	text: string;
	/** The first table's cells, row by row. */
	table: string[][];
	steps: string[];
	links: string[];
	/** Elements that our Markdown never makes. */
	foreign: number;
}

function seenHover(): Promise<SeenHover | null> {
	return inWindow(() => {
		const found = [...document.querySelectorAll('.monaco-hover')].find(
			(each) => each.querySelector('table, li') !== null && each.getBoundingClientRect().height > 0,
		);
		if (found === undefined) return null;
		const plain = (element: Element) => (element.textContent ?? '').replaceAll('\u00a0', ' ').trim();
		return {
			text: plain(found),
			table: [...found.querySelectorAll('table tr')].map((row) => [...row.querySelectorAll('th, td')].map(plain)),
			steps: [...found.querySelectorAll('ol > li')].map(plain),
			links: [...found.querySelectorAll('a')].map(plain),
			foreign: found.querySelectorAll('script, iframe, img, style, input').length,
		};
	}, undefined);
}

describe('the waits of a program', () => {
	let api: WaitlineApi;
	let line: number;

	before(async () => {
		api = await waitline();
		line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
		await open(fileOf(HASHES));
		const launch = await debug(HASHES, { env: { UV_THREADPOOL_SIZE: '1' }, [PROFILE_MARK]: true });
		await launch.end();
		await until('the end of the profile', () => !api.live());
	});
	after(async () => {
		await stopAll();
		await setTheme(undefined);
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	const hashes = () => entryOf(api.report(), fileOf(HASHES), line, 'crypto.pbkdf2');

	describe('in the hover', () => {
		let shown: SeenHover;

		before(async function () {
			if (!seesWindow) this.skip();
			const { text } = await until('the annotation of all five', () =>
				api.annotations(fileOf(HASHES)).find((each) => each.text.includes('×5 threadpool')),
			);
			const annotated = await until('the text behind the line', async () =>
				(await seenLines()).find((seen) => seen.line === line && seen.after === text),
			);
			await hoverAfter(annotated);
			shown = await until('the hover', async () => (await seenHover()) ?? undefined);
		});
		after(() => press('Escape'));

		it('are a table with the figures of the report and their basis', () => {
			const { wait, queue, execute } = hashes();
			const rows = Object.fromEntries(shown.table.map(([name, ...figures]) => [name, figures]));
			assert.deepEqual(rows[''], ['Median', '95 %', 'Longest', 'Total', 'Basis']);
			assert.equal(rows.Wait![3], formatTotal(wait));
			assert.equal(rows.Queue![3], formatTotal(queue));
			assert.equal(rows.Execute![3], formatTotal(execute));
			assert.equal(
				rows.Execute!.at(-1),
				execute!.basis === 'measured' ? 'measured' : `estimated, ± ${formatMs(execute!.uncertaintyMs)}`,
			);
		});

		it('have a histogram with one bar per bin', () => {
			const bars = hashes().histogram.length;
			assert.ok(bars > 0);
			assert.match(shown.text, new RegExp(`[▁▂▃▄▅▆▇█·]{${bars}} ${formatMs(hashes().histogram[0]!.fromMs)} (?:to|–) `));
		});

		it('describe the life of one operation in nine steps, with its own times', () => {
			const { queueMs, executeMs, runMs, basis, uncertaintyMs } = hashes().typical!;
			// On a busy machine they are estimates, so each is a range.
			const textOf = (ms: number) =>
				basis === 'estimated' ? formatRange(Math.max(0, ms - uncertaintyMs), ms + uncertaintyMs) : formatMs(ms);
			assert.equal(shown.steps.length, 9);
			assert.match(shown.steps[0]!, /This line calls crypto\.pbkdf2$/);
			assert.match(shown.steps[2]!, /uv_queue_work/);
			assert.ok(shown.steps[3]!.includes(textOf(queueMs!)), shown.steps[3]);
			assert.ok(shown.steps[5]!.includes(textOf(executeMs!)), shown.steps[5]);
			assert.ok(shown.steps[8]!.includes(formatMs(runMs)), shown.steps[8]);
			// What was not measured has no time.
			for (const step of [0, 1, 2, 4, 6]) assert.doesNotMatch(shown.steps[step]!, / — /);
		});

		it('name the mechanism of the platform', () => {
			const mechanism = { linux: 'epoll', darwin: 'kqueue', win32: 'IOCP' }[process.platform as 'linux'];
			assert.ok(shown.text.includes(`kernel mechanism: ${mechanism} (${process.platform})`), shown.text);
			assert.match(shown.text, /pool size 1/);
		});

		it('offer commands, and nothing but Markdown of ours', () => {
			// Where the machine stopped the program, that was a block, and the hover leads to its line.
			const commands = shown.links.filter((link) => !/:\d+$/.test(link));
			assert.deepEqual(commands.slice(0, 5), [
				// One thread for five hashes is a finding.
				'What can I do?',
				'Show in panel',
				'Only this line in the tree',
				'Only “threadpool” in the tree',
				'Copy as Markdown',
			]);
			assert.equal(shown.foreign, 0);
		});

		it('call no command but those of the allow-list', async () => {
			const at = new vscode.Position(line - 1, vscode.window.activeTextEditor!.document.lineAt(line - 1).text.length);
			const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
				'vscode.executeHoverProvider',
				vscode.Uri.file(fileOf(HASHES)),
				at,
			);
			const [content] = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]);
			assert.ok(content);
			assert.equal(content.supportHtml ?? false, false);
			const allowed = content.isTrusted as { enabledCommands: readonly string[] };
			const called = new Set([...content.value.matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command!));
			assert.ok(called.size >= 5, content.value);
			for (const command of called) assert.ok(allowed.enabledCommands.includes(command), command);
			for (const command of allowed.enabledCommands) assert.match(command, /^waitline\./);
		});

		it('are copied as Markdown by the link', async () => {
			await vscode.env.clipboard.writeText('');
			await click('.monaco-hover a:has-text("Copy as Markdown")');
			const copied = await until('the clipboard', async () => (await vscode.env.clipboard.readText()) || undefined);
			assert.match(copied, new RegExp(`^\\*\\*${HASHES}:${line}\\*\\*`));
			assert.ok(copied.includes(`| Wait | ${formatFigure(hashes().wait, 'p50Ms')} |`), copied);
			assert.doesNotMatch(copied, /command:/);
		});

		for (const theme of COLOR_THEMES) {
			it(`open from the keyboard, in "${theme.name}"`, async () => {
				await press('Escape');
				await until('no hover', async () => (await seenHover()) === null);
				await setTheme(theme);
				const editor = await open(fileOf(HASHES));
				const show = async () => {
					await showDetails(editor, line);
					const again = await until('the hover', async () => (await seenHover()) ?? undefined);
					assert.deepEqual(again.table, shown.table);
				};
				await show();
				await screenshotInBothWidths(`hover-${theme.kind}`, show);
				await press('Escape');
			});
		}
	});

	describe('in the hover of a line that blocked the loop', () => {
		before(async function () {
			if (!seesWindow) this.skip();
			// Stack samples would name the line that computed, whenever there is one.
			await setSetting('sampleBlocks', false);
			await profile(api, BLOCKS);
		});
		after(async () => {
			await setSetting('sampleBlocks', undefined);
			await press('Escape');
			await profile(api, HASHES, { UV_THREADPOOL_SIZE: '1' });
		});

		it('are listed for the lines that waited for it meanwhile', async () => {
			const line = lineWith(fileOf(BLOCKS), 'setTimeout(');
			const blocks = api
				.report()!
				.loops.flatMap((loop) => loop.blocks)
				.filter((each) => each.file === fileOf(BLOCKS) && each.line === line);
			assert.ok(blocks.length > 0, 'it is in the report');
			const editor = await open(fileOf(BLOCKS));
			await until('its annotation', () => api.annotations(fileOf(BLOCKS)).some((each) => each.line === line));
			await showDetails(editor, line);
			const shown = await until('the hover', async () => (await seenHover()) ?? undefined);
			assert.ok(shown.text.includes(`blocked the loop ${blockedFor(blocks)}`), shown.text);
			const delayed = lineWith(fileOf(BLOCKS), 'crypto.pbkdf2(');
			assert.ok(shown.links.includes(`${BLOCKS}:${delayed}`), shown.links.join());
			await screenshotInEveryTheme('hover-blocked', () => showDetails(editor, line));
		});
	});

	describe('in the hover, by its links', () => {
		before(function () {
			if (!seesWindow) this.skip();
		});
		beforeEach(async () => {
			await setTheme(undefined);
			const editor = await open(fileOf(HASHES));
			await showDetails(editor, line);
			await until('the hover', async () => (await seenHover()) ?? undefined);
		});
		after(() => vscode.commands.executeCommand('waitline.clearFilter'));

		const follow = (text: string) => click(`.monaco-hover a:has-text(${JSON.stringify(text)})`);

		/** The tree's text about its filter. */
		const filterMessage = () =>
			inWindow(
				() => [...document.querySelectorAll('.pane .message')].map((each) => each.textContent ?? '').join('\n'),
				undefined,
			);

		it('are shown in the panel', async () => {
			await follow('Show in panel');
			await until('its line there', () => api.panelState()?.source?.revealed === line);
		});

		it('are the only ones in the tree, by line or by class', async () => {
			await follow('Only this line in the tree');
			await until('the line', async () => (await filterMessage()).includes(`Only ${HASHES}:${line}`));
			await showDetails(await open(fileOf(HASHES)), line);
			await until('the hover', async () => (await seenHover()) ?? undefined);
			await follow('Only “threadpool” in the tree');
			await until('the class', async () => (await filterMessage()).includes('Only threadpool'));
		});

		it('lead to what the finding means', async () => {
			await follow('What can I do?');
			await until('the explanation', () =>
				inWindow(
					() => document.querySelector('.getting-started-step.expanded .step-title')?.textContent?.trim(),
					undefined,
				).then((title) => title === 'Understand the findings'),
			);
		});
	});

	describe('in the tree', () => {
		let read: Line;

		before(async function () {
			if (!seesWindow) this.skip();
			await setTheme(undefined);
			await vscode.commands.executeCommand('waitline.groupByFile');
			const launch = await debug(MIXTURE, { [PROFILE_MARK]: true });
			await launch.end();
			await until('the end of the profile', () => !api.live());
			read = entryOf(api.report(), fileOf(MIXTURE), lineWith(fileOf(MIXTURE), 'fs.readFile('), 'fs.readFile');
			await showTree();
		});

		const rows = async (what: string, matches: (texts: string[]) => boolean) =>
			until(what, async () => {
				const found = await treeRows();
				return matches(found.map(({ text }) => text)) ? found : undefined;
			});

		it('are grouped by file, the longest first', async () => {
			const expected = api
				.report()!
				.lines.filter(({ file }) => file === fileOf(MIXTURE))
				.sort(compareWall)
				.map(({ line, op }) => ({ line, op }));
			assert.ok(expected.length >= 4, expected.join());
			// The tree may still show the program as it was a moment before its end: fewer lines, or in another order.
			await eventually(expected, async () => {
				const found = await treeRows();
				const group = found.find(({ text }) => text.startsWith(MIXTURE) && !text.startsWith(`${MIXTURE}:`));
				// Below groups before it are findings and requests.
				const below = group === undefined ? [] : found.slice(found.indexOf(group) + 1);
				const lines = below.filter(({ level }) => level === group!.level + 1);
				// Long names are there without their module.
				return lines.map(({ text }) => {
					const [, line, op] = /^(\d+) {2}(.*?)(?:late )?p50 /.exec(text) ?? [];
					return expected.find((each) => each.line === Number(line) && each.op.endsWith(op!)) ?? text;
				});
			});
			await screenshotInEveryTheme('tree-by-file');
		});

		it('have names for screen readers', async () => {
			const expected = `fs.readFile at ${MIXTURE} line ${read.line}, one operation p50 ${formatFigure(read.wait, 'p50Ms')} · p95 ${formatFigure(read.wait, 'p95Ms')}, under way ${formatMs(read.wallMs)}, operations: 3, threadpool`;
			await eventually(true, async () => {
				const own = (await treeRows()).find(({ text }) => text.includes('fs.readFile'));
				return own?.label.includes(expected) === true || own?.label;
			});
			for (const { label, text } of await treeRows()) {
				assert.ok(label !== '' && !label.includes('$('), `"${label}" of ${text}`);
			}
			const lines = api.report()!.lines.filter(({ file }) => file === fileOf(MIXTURE)).length;
			const groupLabel = `${MIXTURE}, lines: ${formatCount(lines)}`;
			await eventually(true, async () => {
				const group = (await treeRows()).find(
					({ text }) => text.startsWith(MIXTURE) && !text.startsWith(`${MIXTURE}:`),
				);
				return group?.label.includes(groupLabel) === true || group?.label;
			});
		});

		it('come after the requests that the program’s server answered', async () => {
			const [route] = api.report()!.requests;
			assert.ok(route !== undefined && route.count === 1 && route.duration.maxMs >= 59, JSON.stringify(route));
			const expected = `${MIXTURE}:${route.line}, response p50 ${formatFigure(route.duration, 'p50Ms')}`;
			await eventually(true, async () => {
				const labels = (await treeRows()).map(({ label }) => label);
				return labels.some((label) => label.includes(expected)) || labels;
			});
		});

		it('have their server’s requests in the panel, with what one of them spent its time on', async () => {
			const { line } = api.report()!.requests[0]!;
			await vscode.commands.executeCommand('waitline.showPanel');
			const row = await until('the row of the route', () =>
				api.panelState()?.requests.find(([place]) => place === `${MIXTURE}:${line}`),
			);
			assert.match(row.at(-1)!, /\d m?s: .*\d m?s setTimeout at mixture\.cjs:\d+/);
			const view = { webviewWith: 'table.lines' };
			await click('vscode-panel-tab#requests', view);
			await click('#view-requests table.lines tbody .expander', view);
			await until('how long they took', () =>
				inWindow(() => document.querySelector('#view-requests .histogram') !== null, undefined, view),
			);
			await screenshot('panel-requests');
			await click('#view-requests table.lines tbody .expander', view);
			await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
		});

		it('are grouped by class with the action in the title', async () => {
			await click(titleAction('Group by Class'));
			const found = await rows('the classes', (texts) => texts.some((text) => text.startsWith('threadpool')));
			for (const name of ['timer', 'kernel', 'process']) {
				const { key, lines, more } = groupsOf(api.report()!, 'class', undefined).find(({ key }) => key === name)!;
				const expected = `${key}, lines: ${formatCount(lines.length + more)}`;
				assert.equal(found.find(({ text }) => text.startsWith(name))?.label.split(', level')[0], expected);
			}
			assert.ok(found.some(({ text }) => text.startsWith('fs.readFile') && text.endsWith(`${MIXTURE}:${read.line}`)));
			await screenshotInEveryTheme('tree-by-class');
		});

		it('open their line when they are clicked', async () => {
			await open(fileOf('rounds.cjs'));
			await click(rowOf('fs.readFile'));
			await until('the line in the editor', () => {
				const editor = vscode.window.activeTextEditor;
				return editor?.document.uri.fsPath === fileOf(MIXTURE) && editor.selection.active.line === read.line - 1;
			});
		});

		it('show their details in a tooltip', async () => {
			const show = () => tooltipOf(rowOf('fs.readFile'), '.statusbar', async () => (await seenHover()) ?? undefined);
			const shown = await show();
			assert.deepEqual(shown.table.find(([name]) => name === 'Wait')?.[1], formatFigure(read.wait, 'p50Ms'));
			assert.match(shown.text, /Called from/);
			for (const theme of COLOR_THEMES) {
				await setTheme(theme);
				// It goes when the theme does.
				await show();
				await screenshotInBothWidths(`tree-tooltip-${theme.kind}`, show);
			}
			await setTheme(undefined);
		});

		it('are shown in the panel by the action in their row', async () => {
			await hover(rowOf('fs.readFile'));
			await click(`${rowOf('fs.readFile')} .action-label[aria-label^="Reveal Line in Panel"]`);
			await until('the panel', () => api.panelState()?.source?.revealed === read.line);
		});

		it('are filtered to one line from the editor, and all come back', async () => {
			const all = await treeRows();
			const editor = await open(fileOf(MIXTURE));
			editor.selection = new vscode.Selection(read.line - 1, 0, read.line - 1, 0);
			await vscode.commands.executeCommand('waitline.filterToLine');
			const few = await rows('fewer rows', (texts) => texts.length > 0 && texts.length < all.length);
			assert.deepEqual(
				few.filter(({ level }) => level > 1).map(({ text }) => text.includes(`${MIXTURE}:${read.line}`)),
				[true],
			);
			await until('the filter’s name', () =>
				inWindow(
					(wanted) => [...document.querySelectorAll('.pane .message')].some((each) => each.textContent === wanted),
					`Only ${MIXTURE}:${read.line}`,
				),
			);
			await screenshotInEveryTheme('tree-filtered');
			const filtered = vscode.commands.executeCommand('waitline.filterToClass');
			await until('the classes', async () => (await quickPickRows()).some((row) => row.includes('timer')));
			await screenshotInEveryTheme('class-list');
			await choose('timer');
			await filtered;
			const timers = await rows('only timers', (texts) => texts.some((text) => text.includes('setTimeout')));
			assert.deepEqual(
				timers.filter(({ level }) => level === 1).map(({ text }) => text.startsWith('timer')),
				[true],
			);
			await vscode.commands.executeCommand('waitline.clearFilter');
			await rows('all rows', (texts) => texts.length === all.length);
		});
	});

	describe('of a server that answers nothing', () => {
		const HANGS = 'never-answers.cjs';
		const handler = lineWith(fileOf(HANGS), 'http.createServer(');
		let said: string;

		before(async function () {
			if (!seesWindow) this.skip();
			const launch = await debug(HANGS, { [PROFILE_MARK]: true });
			await launch.end();
			await until('the end of the profile', () => !api.live());
			const { unanswered, processes } = api.report()!;
			const [route] = unanswered;
			assert.deepEqual([route?.pending, route?.line], [3, handler], JSON.stringify(unanswered));
			const ageMs = processes[0]!.durationMs - route!.oldestPending!.startMs;
			assert.ok(ageMs >= 1200, `${ageMs}`);
			said = `3 unanswered · oldest ${formatMs(ageMs)}`;
			await showTree();
		});

		it('are in the tree, with the age of the oldest', async () => {
			await eventually(true, async () => {
				const labels = (await treeRows()).map(({ label }) => label);
				return labels.some((label) => label.includes(`${HANGS}:${handler}, ${said}`)) || labels;
			});
			await screenshot('tree-unanswered');
		});

		it('are in the hover of the handler’s line, and behind it', async () => {
			await until('the annotation', () =>
				api.annotations(fileOf(HANGS)).find(({ text }) => text.includes('3 unanswered')),
			);
			await showDetails(await open(fileOf(HANGS)), handler);
			const shown = await until('the hover', async () => (await seenHover()) ?? undefined);
			assert.ok(shown.text.includes(`http.Server request ${said}`), shown.text);
			await screenshot('hover-unanswered');
			await press('Escape');
		});

		it('are in the panel’s table of requests', async () => {
			await vscode.commands.executeCommand('waitline.showPanel');
			const row = await until('the row of the route', () =>
				api.panelState()?.requests.find(([place]) => place === `${HANGS}:${handler}`),
			);
			assert.equal(row.at(-1), said);
			const view = { webviewWith: 'table.lines' };
			await click('vscode-panel-tab#requests', view);
			await click('#view-requests table.lines tbody .expander', view);
			await until('the details', () =>
				inWindow((text) => document.querySelector('#view-requests .row-details')?.textContent === text, said, view),
			);
			await screenshot('panel-unanswered');
			await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
		});
	});
});
