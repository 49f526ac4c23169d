// The panel shows what the report contains, and jumps to the editor and back. What it drew is known in two ways: it
// reports that to its host, and the window's own document is read.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { rateText, totalWallMs } from '../../../src/protocol/latency.ts';
import type { Durations, Line, Split } from '../../../src/protocol/report.ts';
import { formatFigure, formatMs, formatShareOf, formatTotal } from '../../../src/protocol/units.ts';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { entryOf, eventually, fileOf, lineWith, open, until, waitline } from './editor.ts';
import { debug, stopAll } from './session.ts';
import { click, inWindow, press, screenshot, seesWindow, seriousFindings } from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
/** An element that only our webview's document contains. */
const PANEL = { webviewWith: 'table.lines' };
/** What the texts of lengths are counted in. */
const MS_OF_UNIT: Record<string, number> = { µs: 0.001, ms: 1, s: 1000 };

describe('the panel', () => {
	let api: WaitlineApi;
	let line: number;
	let hashes: Line;

	before(async () => {
		api = await waitline();
		line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
		await open(fileOf(HASHES));
		const launch = await debug(HASHES, { env: { UV_THREADPOOL_SIZE: '1' }, [PROFILE_MARK]: true });
		await launch.end();
		await until('the end of the profile', () => !api.live());
		hashes = entryOf(api.report(), fileOf(HASHES), line, 'crypto.pbkdf2');
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
	});
	after(async () => {
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	/** The texts of the row of our line, by column. */
	function expectedRow(): Record<string, string> {
		const total = (split: Split | null) => formatTotal(split);
		const one = (figure: keyof Durations) => formatFigure(hashes.wait, figure);
		return {
			location: `${HASHES}:${line}`,
			operation: 'crypto.pbkdf2',
			class: 'threadpool',
			p50: one('p50Ms'),
			p95: one('p95Ms'),
			max: one('maxMs'),
			count: '5',
			share: formatShareOf(hashes.wallMs, totalWallMs(api.report()!), hashes.wait!.basis),
			// A picture.
			trend: '',
			wall: formatMs(hashes.wallMs),
			atOnce: '5',
			rate: rateText(hashes),
			wait: total(hashes.wait),
			queue: total(hashes.queue),
			execute: total(hashes.execute),
			lag: total(hashes.lag),
			run: total(hashes.run),
			pending: '',
		};
	}

	it('shows the same numbers as the report', async () => {
		const drawn = await until('the drawn rows', () => {
			const state = api.panelState();
			return state !== undefined && state.rows.length > 0 ? state : undefined;
		});
		assert.equal(drawn.rows.length, api.report()!.lines.length);
		const row = drawn.rows.find((cells) => cells.includes('crypto.pbkdf2'))!;
		assert.deepEqual(Object.fromEntries(drawn.columns.map((column, index) => [column, row[index]])), expectedRow());
		assert.match(drawn.header.join('\n'), /size 1, max queued 4/);
		assert.deepEqual(drawn.notices, []);
	});

	it('shows them in the window', async function () {
		if (!seesWindow) this.skip();
		const rows = await until('rows in the window', async () => {
			const found = await inWindow(
				() =>
					[...document.querySelectorAll('table.lines tbody tr')].map((row) =>
						[...row.querySelectorAll('td')].map((cell) => cell.textContent ?? ''),
					),
				undefined,
				PANEL,
			);
			return found.length > 0 ? found : undefined;
		});
		const columns = api.panelState()!.columns;
		const row = rows.find((cells) => cells.includes('crypto.pbkdf2'))!;
		assert.deepEqual(Object.fromEntries(columns.map((column, index) => [column, row[index]])), expectedRow());
		await screenshot('panel-lines');
	});

	it('distinguishes the parts of a wait by more than colour', async function () {
		if (!seesWindow) this.skip();
		const looks = await inWindow(
			() =>
				['queue', 'execute', 'lag', 'rest'].map((part) => {
					const { backgroundImage, height } = getComputedStyle(document.querySelector(`.bar.${part}`)!);
					return `${backgroundImage.replaceAll(/(rgba?|color)\(.*?\)/g, 'colour')} ${height}`;
				}),
			undefined,
			PANEL,
		);
		assert.equal(new Set(looks).size, 4, looks.join('\n'));
	});

	it('sorts by the column that is clicked', async function () {
		if (!seesWindow) this.skip();
		const before = api.panelState()!.sort;
		await click('table.lines th:nth-child(2) button', PANEL);
		await until('another order', () => api.panelState()?.sort.column === 'operation');
		await click(`table.lines th:nth-child(${api.panelState()!.columns.indexOf(before.column) + 1}) button`, PANEL);
		await until('the first order', () => api.panelState()?.sort.column === before.column);
	});

	it('shows only the lines that the filter leaves, and says what is wrong with one that makes no sense', async function () {
		if (!seesWindow) this.skip();
		const filter = (text: string) =>
			inWindow(
				(typed) => {
					const field = document.querySelector<HTMLInputElement>('#filter')!;
					field.value = typed;
					field.dispatchEvent(new Event('input'));
				},
				text,
				PANEL,
			);
		const shown = () =>
			inWindow(
				() => ({
					rows: [...document.querySelector('table.lines')!.querySelectorAll('tbody tr')].length,
					fault: document.querySelector('.fault')!.textContent,
					note: document.querySelector('.note')!.textContent,
				}),
				undefined,
				PANEL,
			);
		const all = api.report()!.lines.length;
		await filter('class:threadpool count>5');
		await eventually({ rows: 0, fault: '', note: `0 of ${all} rows match the filter.` }, shown);
		await filter('class:threadpool count>=5 file:*.cjs');
		await until('the line', () => api.panelState()!.rows.some((cells) => cells.includes('crypto.pbkdf2')));
		await screenshot('panel-filter');
		await filter('p95>slow');
		const fault = '“p95>slow” lacks a time. Write it as in p95>50ms; units are us, ms, s and min.';
		await eventually({ rows: all, fault, note: '' }, shown);
		await filter('');
		await eventually({ rows: all, fault: '', note: '' }, shown);
	});

	/** Makes the table that wide, in CSS pixels; 0 for as wide as the panel. */
	async function makeTable(width: number): Promise<void> {
		await inWindow(
			(width) => {
				const table = document.querySelector<HTMLElement>('.scroll:has(> table.lines)')!;
				table.style.cssText = width === 0 ? '' : `flex: none; width: ${width}px`;
			},
			width,
			PANEL,
		);
		// It is fitted to its room in the frame that comes next.
		await inWindow(
			() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
			undefined,
			PANEL,
		);
	}

	/** The heads of the columns that are shown, and whether they have room. */
	function columnsInWindow(): Promise<{ texts: string[]; fits: boolean }> {
		return inWindow(
			() => {
				const table = document.querySelector<HTMLElement>('.scroll:has(> table.lines)')!;
				const heads = [...table.querySelectorAll<HTMLElement>('th')].filter((head) => head.offsetWidth > 0);
				const cut = [...table.querySelectorAll<HTMLElement>('.figure')].filter(
					(cell) => cell.scrollWidth > cell.clientWidth,
				);
				return {
					texts: heads.map((head) => head.textContent ?? ''),
					fits: table.scrollWidth <= table.clientWidth && cut.length === 0,
				};
			},
			undefined,
			PANEL,
		);
	}

	it('shows as many columns as fit, and keeps the line, its p95 and its count where it is narrow', async function () {
		if (!seesWindow) this.skip();
		const seen: number[] = [];
		for (const width of [400, 500, 700, 1000]) {
			await makeTable(width);
			const { texts } = await until('columns that fit', async () => {
				const columns = await columnsInWindow();
				return columns.fits && columns.texts.length >= (seen.at(-1) ?? 0) ? columns : undefined;
			});
			for (const head of ['Location', '95 %', 'Count'])
				assert.ok(texts.includes(head), `${head} at ${width}: ${texts}`);
			seen.push(texts.length);
			// Several rows may be about one line.
			const operation = await inWindow(
				() => {
					const row = [...document.querySelectorAll('table.lines tbody tr')].find(
						(each) => each.querySelector<HTMLElement>('.column-operation')?.textContent === 'crypto.pbkdf2',
					)!;
					const beside = row.querySelector<HTMLElement>('.beside')!;
					const column = row.querySelector<HTMLElement>('.column-operation')!;
					return [column.offsetWidth > 0, beside.offsetWidth > 0, getComputedStyle(beside, '::after').content] as const;
				},
				undefined,
				PANEL,
			);
			assert.deepEqual(operation, [texts.includes('Operation'), !texts.includes('Operation'), '"crypto.pbkdf2"']);
		}
		assert.ok(seen[3]! > seen[0]!, `columns: ${seen}`);
		await makeTable(0);
	});

	it('opens a row to its histogram and its callers', async function () {
		if (!seesWindow) this.skip();
		await click('table.lines tbody tr:has-text("crypto.pbkdf2") .expander', PANEL);
		const [label, bars] = await until('the details', () =>
			inWindow(
				() => {
					const chart = document.querySelector('tr.details .histogram');
					return chart === null ? null : ([chart.getAttribute('aria-label') ?? '', chart.children.length] as const);
				},
				undefined,
				PANEL,
			).then((found) => found ?? undefined),
		);
		assert.equal(bars, hashes.histogram.length);
		// On a busy machine the scale may begin at 0, which has no unit.
		const most = Math.max(...hashes.histogram.map(({ count }) => count));
		const time = '(?:0|[\\d.]+ \\S+)';
		const text = most > 1 ? `${time} to ${time}, most often ${time} to ${time} \\(×${most}\\)` : `${time} – ${time}`;
		assert.match(label, new RegExp(`^${text}$`));
		await screenshot('panel-details');
		await click('table.lines tbody tr:has-text("crypto.pbkdf2") .expander', PANEL);
		await eventually(0, () => inWindow(() => document.querySelectorAll('tr.details').length, undefined, PANEL));
	});

	it('groups the rows, and leaves out the columns that are not wanted', async function () {
		if (!seesWindow) this.skip();
		const choose = (grouping: string) =>
			inWindow(
				(grouping) => {
					const choice = document.querySelector<HTMLInputElement>('#group-lines')!;
					choice.value = grouping;
					choice.dispatchEvent(new Event('change'));
				},
				grouping,
				PANEL,
			);
		const groups = () =>
			inWindow(
				() => [...document.querySelectorAll('tr.group th')].map((head) => head.textContent ?? '').sort(),
				undefined,
				PANEL,
			);
		const counts = new Map<string, number>();
		for (const { class: kind } of api.report()!.lines) counts.set(kind, (counts.get(kind) ?? 0) + 1);
		await choose('class');
		await eventually([...counts].map(([kind, count]) => `${kind} (${count})`).sort(), groups);
		await screenshot('panel-groups');
		await choose('none');
		await eventually([], groups);
		const toggle = () => click('.columns label:has-text("Median")', PANEL);
		await makeTable(1000);
		await until('the column of medians', async () => (await columnsInWindow()).texts.includes('Median'));
		await click('.columns summary', PANEL);
		await toggle();
		await until('no column of medians', async () => !(await columnsInWindow()).texts.includes('Median'));
		await toggle();
		await until('the column of medians', async () => (await columnsInWindow()).texts.includes('Median'));
		await click('.columns summary', PANEL);
		await makeTable(0);
	});

	it('has a row of totals', async function () {
		if (!seesWindow) this.skip();
		const totals = await inWindow(
			() => [...document.querySelectorAll('table.lines tfoot td')].map((cell) => cell.textContent ?? ''),
			undefined,
			PANEL,
		);
		const { lines } = api.report()!;
		const at = (id: string) => totals[api.panelState()!.columns.indexOf(id)];
		assert.equal(at('location'), `Rows: ${lines.length}`);
		assert.equal(at('count'), String(lines.reduce((sum, { count }) => sum + count, 0)));
	});

	it('replays the session with other sizes of its pool, and says what each line would wait', async function () {
		if (!seesWindow) this.skip();
		await click('vscode-panel-tab#whatIf', PANEL);
		const rows = () => api.panelState()?.whatIf ?? [];
		await until('the sizes', () => rows().length > 0);
		const sizes = rows().map(([head]) => head!);
		assert.deepEqual(sizes.slice(0, 7), ['1 (recorded)', '2', '4', '8', '16', '32', '64']);
		const ofHashes = (cells: string[]) => cells[0]!.startsWith(`${HASHES}:${line} crypto.pbkdf2 ×5`);
		assert.ok(rows().some(ofHashes), JSON.stringify(rows()));
		const offered = await inWindow(
			() => [...document.querySelectorAll('#what-if-line vscode-option')].map((option) => option.textContent ?? ''),
			undefined,
			PANEL,
		);
		const replayed = rows().slice(sizes.indexOf('64') + 1);
		assert.deepEqual(
			new Set(offered.slice(1)),
			new Set(replayed.map(([head]) => head!.split(' ')[0]!)),
			'lines that were replayed can be made faster, and no others',
		);
		// With five threads none of the five hashes queues.
		await click('.what-if table.plain tbody tr:nth-child(4) button', PANEL);
		const queued = () => rows().find(ofHashes)?.at(-1) ?? '';
		await until('no queue', () => queued().endsWith(' → 0'));
		const said = await inWindow(() => document.querySelector('.what-if')!.textContent ?? '', undefined, PANEL);
		assert.match(said, /Process \d+ \(seed3-five-hashes\.cjs\)/);
		assert.match(said, /The limits below are wider by the difference in waits: the replay does not know/);
		assert.match(said, /A server’s figures may lie outside the limits where its clients wait for one another/);
		await screenshot('panel-what-if');
		assert.deepEqual(await seriousFindings(PANEL), []);
		await click('vscode-panel-tab#lines', PANEL);
	});

	it('opens the line in the editor when its row is clicked', async function () {
		if (!seesWindow) this.skip();
		await open(fileOf('rounds.cjs'));
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
		await click('table.lines tbody tr:has-text("crypto.pbkdf2") td:nth-child(2)', PANEL);
		await until('the line in the editor', () => {
			const editor = vscode.window.activeTextEditor;
			return editor?.document.uri.fsPath === fileOf(HASHES) && editor.selection.active.line === line - 1;
		});
	});

	it('follows edits: it opens the line where it is now, and shows the source as it ran', async function () {
		if (!seesWindow) this.skip();
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(fileOf(HASHES)), {
			viewColumn: vscode.ViewColumn.One,
		});
		await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// one\n// two\n'));
		await editor.document.save();
		await click('table.lines tbody tr:has-text("crypto.pbkdf2") td:nth-child(2)', PANEL);
		await until('the line two further down', () => vscode.window.activeTextEditor?.selection.active.line === line + 1);
		await closePanel();
		await vscode.commands.executeCommand('waitline.showPanel');
		const { source } = await until('the source', () => {
			const state = api.panelState();
			return state !== undefined && (state.source?.annotations.length ?? 0) > 0 ? state : undefined;
		});
		assert.equal(source!.annotations[0]!.line, line);
		const code = await inWindow(
			(index) => document.querySelectorAll('.code .line .text')[index]?.textContent ?? '',
			line - 1,
			PANEL,
		);
		assert.match(code, /crypto\.pbkdf2\(/);
		const looks = await inWindow(
			(index) => {
				const row = document.querySelectorAll('.code .line')[index]!;
				const strings = [...row.querySelectorAll('.hljs-string')];
				const colours = [row.querySelector('.text')!, ...strings].map((part) => getComputedStyle(part).color);
				return { strings: strings.map((part) => part.textContent), colours: new Set(colours).size };
			},
			line - 1,
			PANEL,
		);
		assert.deepEqual(looks, { strings: ["'password'", "'salt'", "'sha512'"], colours: 2 });
		await editor.edit((edit) => edit.delete(new vscode.Range(0, 0, 2, 0)));
		await editor.document.save();
	});

	async function closePanel(): Promise<void> {
		const tab = vscode.window.tabGroups.all
			.flatMap(({ tabs }) => tabs)
			.find(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('waitline.panel'));
		assert.ok(tab);
		await vscode.window.tabGroups.close(tab);
		await until('no panel', () => api.panelState() === undefined);
	}

	it("shows the editor's line in the annotated source", async () => {
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(fileOf(HASHES)), {
			viewColumn: vscode.ViewColumn.One,
		});
		editor.selection = new vscode.Selection(line - 1, 2, line - 1, 2);
		await vscode.commands.executeCommand('waitline.revealInPanel');
		const drawn = await until('the source', () => {
			const state = api.panelState();
			return state?.tab === 'source' && state.source?.revealed === line && state.source.lineCount > 0
				? state
				: undefined;
		});
		assert.deepEqual(drawn.source!.annotations, api.annotations(fileOf(HASHES)));
		assert.equal(drawn.source!.error, null);
	});

	it('shows that source and its annotation in the window', async function () {
		if (!seesWindow) this.skip();
		const found = await until('the annotated line', () =>
			inWindow(
				() => {
					const shown = [...document.querySelectorAll('.line')].filter((each) => each.querySelector('.annotation'));
					return shown.map((each) => ({
						line: Number(each.querySelector('.number')?.textContent),
						code: each.querySelector('.text')?.textContent ?? '',
						text: each.querySelector('.annotation')?.textContent ?? '',
					}));
				},
				undefined,
				PANEL,
			).then((lines) => (lines.length > 0 ? lines : undefined)),
		);
		assert.deepEqual(
			found.map(({ line, text }) => ({ line, text })),
			api.annotations(fileOf(HASHES)),
		);
		assert.match(found.find((each) => each.line === line)!.code, /crypto\.pbkdf2\(/);
		await screenshot('panel-source');
	});

	it('draws each operation on the timeline, and describes one by the keyboard alone', async function () {
		if (!seesWindow) this.skip();
		await click('vscode-panel-tab#timeline', PANEL);
		const lanes = await until('the lanes', () => {
			const shown = api.panelState()?.timeline?.lanes;
			return shown !== undefined && shown.length > 0 ? shown : undefined;
		});
		assert.deepEqual(
			lanes.find(({ label }) => label.includes('crypto.pbkdf2')),
			{ kind: 'line', label: `${HASHES}:${line} crypto.pbkdf2`, operations: 5 },
		);
		await click('.chart', PANEL);
		for (let step = 0; step < 5; step++) await press('ArrowRight');
		const selected = await until('the selected operation, in the window and by its word', async () => {
			const seen = await inWindow(() => document.querySelector('.details')?.textContent ?? '', undefined, PANEL);
			return seen !== '' && seen === api.panelState()?.timeline?.selected ? seen : undefined;
		});
		assert.match(selected, /^crypto\.pbkdf2 · started at .* · wait .* \(queue .* · exec .* · lag .*\).* · run /);
		const whole = api.panelState()!.timeline!;
		await until('why it waited', () =>
			api
				.panelState()!
				.timeline!.causes.some((cause) => /^waited behind other jobs \((about )?4\): .* ×4$/.test(cause)),
		);
		assert.ok(api.panelState()!.timeline!.causes.includes('started by main script'));
		assert.equal(whole.lanes[0]!.kind, 'loop');
		await press('p');
		await until('its lane at the top', () => api.panelState()!.timeline!.lanes[0]!.kind === 'line');
		await press('p');
		await until('its lane in its place', () => api.panelState()!.timeline!.lanes[0]!.kind === 'loop');
		await press('+');
		await until('a shorter stretch', () => {
			const now = api.panelState()!.timeline!;
			return now.toMs - now.fromMs < whole.toMs - whole.fromMs;
		});
		await press('0');
		await until('everything', () => api.panelState()!.timeline!.toMs === whole.toMs);
		await screenshot('panel-timeline');
	});

	/** The timeline from its top, with a chart of that height in pixels. */
	async function showLowTimeline(height: number): Promise<void> {
		await click('vscode-panel-tab#timeline', PANEL);
		await until('the lanes', () => (api.panelState()?.timeline?.lanes.length ?? 0) > 0);
		await inWindow(
			(px) => {
				const view = document.querySelector<HTMLElement>('.scroll:has(> .timeline-body)')!;
				view.style.cssText = `flex: none; height: ${px}px`;
				view.scrollTop = 0;
			},
			height,
			PANEL,
		);
	}

	it('brings the lane of an operation that the keyboard selects into view, and leaves the chart where it is', async function () {
		if (!seesWindow) this.skip();
		await showLowTimeline(80);
		await inWindow(() => document.querySelector<HTMLElement>('.chart')!.focus(), undefined, PANEL);
		const look = () =>
			inWindow(
				(name) => {
					const view = document.querySelector<HTMLElement>('.scroll:has(> .timeline-body)')!.getBoundingClientRect();
					const label = [...document.querySelectorAll<HTMLElement>('.lane-label.line')].find(({ title }) =>
						title.endsWith(name),
					)!;
					const { top, bottom } = label.getBoundingClientRect();
					return { viewTop: view.top, isInView: top < view.bottom - 20 && bottom > view.top + 20 };
				},
				'crypto.pbkdf2',
				PANEL,
			);
		await press('Escape');
		const before = await look();
		assert.equal(before.isInView, false);
		await press('ArrowRight');
		await eventually({ ...before, isInView: true }, look);
		await until('its text', () => api.panelState()!.timeline!.selected !== null);
		assert.equal((await look()).viewTop, before.viewTop);
		await press('Escape');
		await inWindow(
			() => {
				document.querySelector<HTMLElement>('.scroll:has(> .timeline-body)')!.style.cssText = '';
			},
			undefined,
			PANEL,
		);
	});

	it('says when the pointer is where the stretch moves under it', async function () {
		if (!seesWindow) this.skip();
		await click('vscode-panel-tab#timeline', PANEL);
		await until('the lanes', () => (api.panelState()?.timeline?.lanes.length ?? 0) > 0);
		await click('.chart', PANEL);
		await press('w');
		await press('w');
		const shown = () => inWindow(() => document.querySelector('.pointer span')?.textContent ?? '', undefined, PANEL);
		const before = await until('a text', async () => (await shown()) || undefined);
		await press('d');
		await until('another time', async () => (await shown()).split(' · ')[0] !== before.split(' · ')[0]);
		await press('Escape');
		await press('0');
	});

	it('keeps lanes at the top by buttons that are one stop for the Tab key', async function () {
		if (!seesWindow) this.skip();
		await click('vscode-panel-tab#timeline', PANEL);
		const pins = () =>
			inWindow(
				() => {
					const all = [...document.querySelectorAll<HTMLElement>('.lane-labels .pin')];
					const stops = all.flatMap((pin, index) => (pin.tabIndex === 0 ? [index] : []));
					return { stops, focused: all.indexOf(document.activeElement as HTMLElement), last: all.length - 1 };
				},
				undefined,
				PANEL,
			);
		const { last } = await until('the lanes', async () => {
			const seen = await pins();
			return seen.last > 0 ? seen : undefined;
		});
		await inWindow(() => document.querySelector<HTMLElement>('.lane-labels .pin')!.focus(), undefined, PANEL);
		for (const [key, at] of [
			['ArrowDown', 1],
			['End', last],
			['ArrowUp', last - 1],
			['Home', 0],
		] as const) {
			await press(key);
			await eventually({ stops: [at], focused: at, last }, pins);
		}
	});

	it('keeps a pinned lane in view while the others scroll under it, for the pointer too', async function () {
		if (!seesWindow) this.skip();
		await showLowTimeline(160);
		await inWindow(() => document.querySelector<HTMLElement>('.lane-label.line .pin')!.click(), undefined, PANEL);
		await until('its lane at the top', () => api.panelState()!.timeline!.lanes[0]!.kind === 'line');
		/** Scrolls down, and looks where the first label and what is under the pointer are then. */
		const scrolled = () =>
			inWindow(
				async () => {
					const view = document.querySelector<HTMLElement>('.scroll:has(> .timeline-body)')!;
					view.scrollTop = view.scrollHeight;
					const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
					await frame();
					await frame();
					const [label, next] = [...document.querySelectorAll<HTMLElement>('.lane-label')];
					const canvas = document.querySelector<HTMLCanvasElement>('.chart canvas.stuck')!;
					const top = (of: Element) => Math.round(of.getBoundingClientRect().top - view.getBoundingClientRect().top);
					const axis = document.querySelector<HTMLElement>('.axis')!.offsetHeight;
					const { top: y, left, width, height } = canvas.getBoundingClientRect();
					// The operation is drawn there, so it is found there.
					const chart = document.querySelector<HTMLElement>('.chart')!;
					const found = new Set<string>();
					for (let step = 0; step <= 40; step++) {
						const at = { clientX: left + (width * step) / 40, clientY: y + height / 2, bubbles: true };
						chart.dispatchEvent(new PointerEvent('pointermove', at));
						found.add(document.querySelector('.pointer span')!.textContent!);
					}
					chart.dispatchEvent(new PointerEvent('pointerleave'));
					return {
						isScrolled: view.scrollTop > 20,
						label: top(label!),
						canvas: top(canvas),
						axis,
						height,
						isNextUnder: top(next!) < axis + height,
						found: [...found].some((text) => text.includes('crypto.pbkdf2')),
					};
				},
				undefined,
				PANEL,
			);
		const seen = await scrolled();
		const { axis, height } = seen;
		assert.deepEqual(seen, {
			isScrolled: true,
			label: axis,
			canvas: axis,
			axis,
			height,
			isNextUnder: true,
			found: true,
		});
		await screenshot('panel-timeline-pinned');
		await click('.lane-label.line .pin', PANEL);
		await until('its lane in its place', () => api.panelState()!.timeline!.lanes[0]!.kind === 'loop');
		await inWindow(
			() => {
				document.querySelector<HTMLElement>('.scroll:has(> .timeline-body)')!.style.cssText = '';
			},
			undefined,
			PANEL,
		);
	});

	it('measures on the timeline with Shift, and fits an operation that is clicked twice', async function () {
		if (!seesWindow) this.skip();
		await click('vscode-panel-tab#timeline', PANEL);
		await until('the timeline', () => (api.panelState()?.timeline?.lanes.length ?? 0) > 0);
		const width = () => document.querySelector('.chart')?.getBoundingClientRect().width ?? 0;
		await until('the chart', async () => (await inWindow(width, undefined, PANEL)) > 0);
		const details = () => inWindow(() => document.querySelector('.details')?.textContent ?? '', undefined, PANEL);
		const whole = api.panelState()!.timeline!;
		await inWindow(
			() => {
				const chart = document.querySelector<HTMLElement>('.chart')!;
				// The pointer is not a real one.
				chart.setPointerCapture = () => undefined;
				const { left, top, width } = chart.getBoundingClientRect();
				for (const [type, share] of [
					['pointerdown', 0.25],
					['pointermove', 0.75],
					['pointerup', 0.75],
				] as const) {
					const at = { clientX: left + share * width, clientY: top + 3, shiftKey: true, bubbles: true };
					chart.dispatchEvent(new PointerEvent(type, at));
				}
			},
			undefined,
			PANEL,
		);
		const stretch = /^([\d.]+) (\S+), from [\d.]+ \S+ to [\d.]+ \S+$/;
		const [text, figure, unit] = await until('a length', async () => stretch.exec(await details()) ?? undefined);
		const share = (Number(figure) * MS_OF_UNIT[unit!]!) / (whole.toMs - whole.fromMs);
		// The pointer moves by whole pixels, and the text has three digits.
		assert.ok(share > 0.48 && share < 0.52, `${text}: ${share} of ${JSON.stringify(whole)}`);
		await screenshot('panel-measure');
		await click('.chart', PANEL);
		// To the first, which waited least, whichever was under the pointer.
		for (let step = 0; step < 5; step++) await press('ArrowLeft');
		const length = () => {
			const now = api.panelState()!.timeline!;
			return now.toMs - now.fromMs;
		};
		// It waited a fifth of the time, or longer on a busy machine: long enough for all of the time to be shown with it.
		const least = (whole.toMs - whole.fromMs) / 10;
		while (length() > least) {
			const before = length();
			await press('w');
			await until('a shorter stretch', () => length() < before);
		}
		await press('e');
		await until('all of the operation', () => length() > 2 * least);
		await press('m');
		await until('its length', async () => / from .* to /.test(await details()));
		await press('f');
		await until('everything', () => api.panelState()!.timeline!.toMs === whole.toMs);
	});

	it('limits the tabs to the time that is chosen on the strip, by the keyboard too', async function () {
		if (!seesWindow) this.skip();
		await until('the strip', () =>
			inWindow(() => document.querySelector<HTMLElement>('.overview')?.hidden === false, undefined, PANEL),
		);
		await click('vscode-panel-tab#timeline', PANEL);
		await until('the timeline', () => (api.panelState()?.timeline?.lanes.length ?? 0) > 0);
		await click('.strip', PANEL);
		await press('Enter');
		const { brush } = await until('a stretch', () => {
			const drawn = api.panelState();
			return drawn !== undefined && drawn.brush !== null ? drawn : undefined;
		});
		await eventually(brush, () => {
			const { fromMs, toMs } = api.panelState()!.timeline!;
			return { fromMs, toMs };
		});
		await press('ArrowRight');
		await until('a later stretch', () => (api.panelState()!.brush?.fromMs ?? 0) > brush!.fromMs);
		await screenshot('panel-strip');
		// The report is that of the stretch, and so is what the panel and the editor show of it.
		const hashesNow = () => api.report()!.lines.find(({ op }) => op === 'crypto.pbkdf2');
		const limited = await until('the report of the stretch', () => {
			const { brush: chosen } = api.panelState()!;
			const length = (chosen?.toMs ?? 0) - (chosen?.fromMs ?? 0);
			return Math.abs(api.report()!.processes[0]!.durationMs - length) < 0.01
				? { count: hashesNow()?.count ?? 0 }
				: undefined;
		});
		assert.ok(limited.count < 5, `${limited.count} hashes ended in a fifth of the time`);
		await until('its rows', () => api.panelState()!.rows.length === api.report()!.lines.length);
		await until('it in the status bar', () => /only \S+ \S+ to /.test(api.status()!));
		const annotated = () => api.annotations(fileOf(HASHES)).find((each) => each.line === line)?.text ?? '';
		await until(
			'its annotation',
			() => annotated().includes(`×${limited.count}`) || (limited.count < 2 && !annotated().includes('×5')),
		);
		await vscode.commands.executeCommand('waitline.showAllTime');
		await until('all of it in the panel', () => api.panelState()!.brush === null);
		await eventually(5, () => Promise.resolve(hashesNow()?.count ?? 0));
		await click('.strip', PANEL);
		await press('Enter');
		await until('a stretch again', () => api.panelState()!.brush !== null);
		await press('Escape');
		await until('all of it', () => api.panelState()!.brush === null && hashesNow()?.count === 5);
	});

	it('shows the findings with their code, and leads to their line and to their place on the timeline', async function () {
		if (!seesWindow) this.skip();
		await click('vscode-panel-tab#findings', PANEL);
		const [first] = await until('the findings', () => {
			const shown = api.panelState();
			return shown?.tab === 'findings' && shown.findings.length > 0 ? shown.findings : undefined;
		});
		assert.equal(first![0], 'Thread pool saturated');
		assert.match(first![1]!, /up to 4 at a time/);
		const code = await until('the code', () =>
			inWindow(
				() => {
					const marked = document.querySelector('.findings .excerpt .marked');
					return marked === null
						? null
						: [marked.querySelector('.number')!.textContent, marked.querySelector('.text')!.textContent];
				},
				undefined,
				PANEL,
			).then((found) => found ?? undefined),
		);
		assert.equal(code[0], String(line));
		assert.match(code[1]!, /crypto\.pbkdf2\(/);
		await screenshot('panel-findings');
		await click('.findings li:first-child button.link:first-child', PANEL);
		await until('the line in the editor', () => vscode.window.activeTextEditor?.selection.active.line === line - 1);
		const { startMs, waitMs } = hashes.typical!;
		await click('.findings li:first-child button.timeline-link', PANEL);
		await until('that stretch of the timeline', () => {
			const { tab, timeline } = api.panelState()!;
			return tab === 'timeline' && timeline !== null && timeline.fromMs <= startMs && timeline.toMs >= startMs + waitMs;
		});
		await screenshot('panel-finding-on-timeline');
		await open(fileOf(HASHES));
		await vscode.commands.executeCommand('waitline.showPanel');
	});
});
