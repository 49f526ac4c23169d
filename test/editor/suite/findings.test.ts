// Findings in the editor: in the tree, as a Quick Fix where one is certain, in the Problems panel for those who want them there;
// CodeLens, and the tools for language models.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Finding, FindingCode } from '../../../src/protocol/report.ts';
import { formatFigure } from '../../../src/protocol/units.ts';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { fileOf, lineWith, open, setSetting, until, waitline, workspaceFolder } from './editor.ts';
import { debug, launched, stopAll } from './session.ts';
import { showTree, treeRows } from './tree.ts';
import { click, inWindow, press, pressUntil, seesWindow } from './window.ts';

const PROGRAM = 'late-pool.cjs';
const CONFIGURATION = 'A pool size that comes too late';
const OF_STALLS: ReadonlySet<FindingCode> = new Set(['loop-blocked', 'timers-late']);
const FIX = `Start “${CONFIGURATION}” with UV_THREADPOOL_SIZE=8`;

/** The findings of the report but those that a machine makes which stops the program at the wrong moment: its loop was blocked then. */
function ofProgram(api: WaitlineApi): readonly Finding[] {
	return api.report()!.findings.filter(({ code }) => !OF_STALLS.has(code));
}

describe('findings', () => {
	let api: WaitlineApi;
	let line: number;
	let ownConfigurations: unknown;

	const own = () => ({
		type: 'node',
		request: 'launch',
		name: CONFIGURATION,
		program: fileOf(PROGRAM),
		env: { OWN: 'kept' },
	});
	const launchFile = () => vscode.workspace.getConfiguration('launch', workspaceFolder());

	before(async () => {
		api = await waitline();
		line = lineWith(fileOf(PROGRAM), 'UV_THREADPOOL_SIZE =');
		ownConfigurations = launchFile().inspect('configurations')?.workspaceFolderValue;
		await launchFile().update(
			'configurations',
			[...(ownConfigurations as object[]), own()],
			vscode.ConfigurationTarget.WorkspaceFolder,
		);
		await setSetting('profileEveryNodeSession', true);
		await open(fileOf(PROGRAM));
	});
	after(async () => {
		await stopAll();
		await setSetting('profileEveryNodeSession', undefined);
		await launchFile().update('configurations', ownConfigurations, vscode.ConfigurationTarget.WorkspaceFolder);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
	});

	/** Titles of our Quick Fixes on the line of the assignment. */
	async function fixes(): Promise<string[]> {
		const uri = vscode.Uri.file(fileOf(PROGRAM));
		const range = new vscode.Range(line - 1, 4, line - 1, 4);
		const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
			'vscode.executeCodeActionProvider',
			uri,
			range,
			vscode.CodeActionKind.QuickFix.value,
		);
		return actions.map(({ title }) => title).filter((title) => title.includes('UV_THREADPOOL_SIZE'));
	}

	/** Whether the session that is shown came from the launch configuration. */
	let isOfConfiguration = false;

	async function profiled(start: () => unknown): Promise<void> {
		isOfConfiguration = false;
		const launch = await launched(start);
		await launch.end();
		await until('the end of the profile', () => !api.live());
		assert.deepEqual(
			ofProgram(api).map(({ code, line: at }) => [code, at]),
			[['pool-size-too-late', line]],
		);
	}

	async function profiledByConfiguration(): Promise<void> {
		await profiled(() => vscode.debug.startDebugging(workspaceFolder(), CONFIGURATION));
		isOfConfiguration = true;
	}

	/** Each of the tests that follow shows that session, also where it runs by itself. */
	async function showOfConfiguration(): Promise<void> {
		if (!isOfConfiguration) await profiledByConfiguration();
	}

	it('have no fix when only a child of the program asked for another size', async () => {
		const child = { type: 'node', request: 'launch', name: 'A child', program: fileOf('late-pool-child.cjs') };
		const before = launchFile().inspect('configurations')?.workspaceFolderValue as object[];
		await launchFile().update('configurations', [...before, child], vscode.ConfigurationTarget.WorkspaceFolder);
		await profiled(() => vscode.debug.startDebugging(workspaceFolder(), child.name));
		assert.equal(api.report()!.processes.length, 2);
		assert.deepEqual(await fixes(), []);
		await launchFile().update('configurations', before, vscode.ConfigurationTarget.WorkspaceFolder);
	});

	it('have no fix when the session came from no launch configuration', async () => {
		await profiled(() =>
			vscode.debug.startDebugging(workspaceFolder(), {
				type: 'node',
				request: 'launch',
				name: 'from nowhere',
				program: fileOf(PROGRAM),
			}),
		);
		await until('the annotation', () => api.annotations(fileOf(PROGRAM)).some((each) => each.line === line));
		assert.deepEqual(await fixes(), []);
	});

	for (const [what, change] of Object.entries({
		'a file of variables': [{ envFile: fileOf('.env') }],
		'a size': [{ env: { uv_threadpool_size: '2' } }],
		'another request': [{ request: 'attach' }],
		'another debugger': [{ type: 'chrome' }],
		'a namesake': [{}, {}],
	})) {
		it(`have no fix when the launch configuration has ${what} now`, async () => {
			const before = launchFile().inspect('configurations')?.workspaceFolderValue as object[];
			const changed = [...(ownConfigurations as object[]), ...change.map((each) => ({ ...own(), ...each }))];
			await profiledByConfiguration();
			await until('the fix', async () => (await fixes()).length > 0);
			await launchFile().update('configurations', changed, vscode.ConfigurationTarget.WorkspaceFolder);
			try {
				assert.deepEqual(await fixes(), []);
			} finally {
				await launchFile().update('configurations', before, vscode.ConfigurationTarget.WorkspaceFolder);
			}
		});
	}

	it('come first in the tree, in words', async function () {
		await showOfConfiguration();
		if (!seesWindow) this.skip();
		await showTree();
		const [head, ...others] = await until('the finding', async () => {
			const rows = await treeRows();
			return rows.some(({ text }) => text.startsWith('Pool size set too late')) ? rows : undefined;
		});
		const { length } = api.report()!.findings;
		const finding = others.slice(0, length).find(({ text }) => text.startsWith('Pool size set too late'));
		assert.match(head!.text, /^Findings/);
		assert.equal(head!.label.split(', level')[0], `Findings: ${length}`);
		assert.equal(
			finding!.label.split(', level')[0],
			`Pool size set too late, ${PROGRAM}:${line}, UV_THREADPOOL_SIZE was set to 8 too late: the pool keeps its size of 4. Severity: low.`,
		);
		assert.deepEqual(
			finding!.actions.map((action) => action.replace(/ \(.*/, '')),
			['Set UV_THREADPOOL_SIZE in the Launch Configuration', 'What Findings Mean'],
		);
		await screenshotInEveryTheme('findings-tree');
	});

	it('stay out of the Problems panel unless the setting is on', async () => {
		await showOfConfiguration();
		const problems = () =>
			vscode.languages.getDiagnostics(vscode.Uri.file(fileOf(PROGRAM))).filter(({ source }) => source === 'Waitline');
		assert.deepEqual(problems(), []);
		await setSetting('findings.inProblems', true);
		const codeOf = ({ code }: vscode.Diagnostic) => code as { value: string; target: vscode.Uri };
		const problem = await until('the problem', () =>
			problems().find((each) => codeOf(each).value === 'pool-size-too-late'),
		);
		assert.equal(codeOf(problem).target.toString(), 'command:waitline.explainFindings');
		assert.equal(problem.severity, vscode.DiagnosticSeverity.Information);
		assert.match(
			problem.message,
			/^Pool size set too late\. UV_THREADPOOL_SIZE was set to 8 too late: the pool keeps its size of 4\./,
		);
		assert.equal(problem.range.start.line, line - 1);
		await vscode.commands.executeCommand('workbench.actions.view.problems');
		await screenshotInEveryTheme('findings-in-problems');
		if (seesWindow) {
			await click('.markers-panel a:has-text("pool-size-too-late")');
			await until('what it means', () =>
				inWindow(
					() => document.querySelector('.getting-started-step.expanded .step-title')?.textContent?.trim(),
					undefined,
				).then((title) => title === 'Understand the findings'),
			);
		}
		await vscode.commands.executeCommand('workbench.action.closePanel');
		await setSetting('findings.inProblems', undefined);
		await until('no problem', () => problems().length === 0);
	});

	it('are explained in the walkthrough', async function () {
		if (!seesWindow) this.skip();
		await vscode.commands.executeCommand('waitline.explainFindings');
		await until('the step of the walkthrough', () =>
			inWindow(
				() =>
					document.querySelector('.getting-started-step.expanded')?.textContent?.toLowerCase().includes('finding') ===
					true,
				undefined,
			),
		);
		await screenshotInEveryTheme('findings-walkthrough');
	});

	it('have a fix that sets the variable in the launch configuration, once', async () => {
		await showOfConfiguration();
		const editor = await open(fileOf(PROGRAM));
		editor.selection = new vscode.Selection(line - 1, 4, line - 1, 4);
		assert.deepEqual(await until('the fix', async () => ((await fixes()).length > 0 ? fixes() : undefined)), [FIX]);
		const file = fileOf('.vscode', 'launch.json');
		const commented = readFileSync(file, 'utf8').replace('"configurations": [', '"configurations": [ // ours');
		writeFileSync(file, commented);
		await until('the comment in the editor', async () =>
			(await vscode.workspace.openTextDocument(file)).getText().includes('// ours'),
		);
		await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
		if (seesWindow) {
			const showList = () =>
				pressUntil('the fix in the list that takes keys', 'Control+.', () =>
					inWindow((fix) => {
						const list = document.querySelector('.action-widget');
						return list?.textContent?.includes(fix) === true && list.contains(document.activeElement);
					}, FIX),
				);
			await showList();
			await screenshotInEveryTheme('finding-with-fix', showList);
			await press('Enter');
		} else await vscode.commands.executeCommand('waitline.setPoolSize');
		const fixed = await until('launch.json', () => {
			const now = readFileSync(file, 'utf8');
			return now.includes('"UV_THREADPOOL_SIZE": "8"') ? now : undefined;
		});
		const plain = (text: string) => text.replaceAll(/\s|,/g, '');
		assert.equal(plain(fixed.replace('"UV_THREADPOOL_SIZE": "8"', '')), plain(commented), 'nothing else has changed');
		const text = fixed.replace(' // ours', '');
		writeFileSync(file, text);
		const { configurations } = JSON.parse(text) as { configurations: vscode.DebugConfiguration[] };
		assert.deepEqual(configurations.find(({ name }) => name === CONFIGURATION)?.env, {
			OWN: 'kept',
			UV_THREADPOOL_SIZE: '8',
		});
		assert.deepEqual(configurations.slice(0, -1), ownConfigurations, 'the others are as they were');
		await until('no fix any more', async () => (await fixes()).length === 0);
	});

	it('are gone when the fixed configuration runs', async () => {
		const launch = await launched(() => vscode.debug.startDebugging(workspaceFolder(), CONFIGURATION));
		await launch.end();
		await until('the end of the profile', () => !api.live());
		assert.deepEqual(ofProgram(api), []);
		assert.equal(api.report()!.pools[0]?.size, 8);
	});
});

describe('CodeLens', () => {
	const MIXTURE = 'mixture.cjs';
	let api: WaitlineApi;
	const uri = () => vscode.Uri.file(fileOf(MIXTURE));

	/** Ours, as `line: title`. */
	async function lenses(): Promise<string[]> {
		const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri());
		return all
			.filter(({ command }) => command?.command === 'waitline.revealInPanel')
			.map(({ range, command }) => `${range.start.line + 1}: ${command!.title}`);
	}

	before(async () => {
		api = await waitline();
		await open(fileOf(MIXTURE));
		const launch = await debug(MIXTURE, { [PROFILE_MARK]: true });
		await launch.end();
		await until('the end of the profile', () => !api.live());
		await until('annotations', () => api.annotations(fileOf(MIXTURE)).length > 3);
	});
	after(async () => {
		await stopAll();
		await setSetting('codeLens', undefined);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	it('is off by default', async () => {
		assert.deepEqual(await lenses(), []);
	});

	it('shows above each function what its lines waited for', async () => {
		await setSetting('codeLens', true);
		const line = lineWith(fileOf(MIXTURE), 'function read(');
		const { wait } = api.report()!.lines.find(({ op, file }) => op === 'fs.readFile' && file === fileOf(MIXTURE))!;
		const expected = `${line}: p50 ${formatFigure(wait, 'p50Ms')} · p95 ${formatFigure(wait, 'p95Ms')} · ×3`;
		const request = lineWith(fileOf(MIXTURE), 'function request(');
		// The language's own extension provides the functions, when it is ready.
		await until('the lenses of both functions', async () => {
			const all = await lenses();
			return all.includes(expected) && all.some((lens) => lens.startsWith(`${request}: `) && lens.endsWith('×2'));
		});
	});

	it('is there once the language has provided the functions, and above functions only', async () => {
		const places = async () => (await lenses()).map((lens) => Number.parseInt(lens, 10)).sort((a, b) => a - b);
		const functions = ['function read(', 'function request('].map((text) => lineWith(fileOf(MIXTURE), text));
		const isAbove = (line: number) => /function/.test(readFileSync(fileOf(MIXTURE), 'utf8').split('\n')[line - 1]!);
		let answer: (symbols: vscode.DocumentSymbol[]) => void = () => undefined;
		const answered = new Promise<vscode.DocumentSymbol[]>((resolve) => {
			answer = resolve;
		});
		const silent = vscode.languages.registerDocumentSymbolProvider(
			{ pattern: `**/${MIXTURE}` },
			{ provideDocumentSymbols: () => answered },
		);
		try {
			assert.deepEqual(await places(), [], 'while no provider has answered');
			answer([]);
			await until('the functions', async () => (await places()).length > 0);
			const found = await places();
			assert.deepEqual(
				[functions.every((line) => found.includes(line)), found.every(isAbove)],
				[true, true],
				`${found}`,
			);
		} finally {
			answer([]);
			silent.dispose();
		}
	});

	it('shows that a line of the function was edited since, until the edit is undone', async () => {
		const editor = await open(fileOf(MIXTURE));
		const line = lineWith(fileOf(MIXTURE), 'fs.readFile(');
		const edited = async () => (await lenses()).filter((lens) => lens.endsWith(' · edited since')).length;
		await editor.edit((edit) => edit.insert(new vscode.Position(line - 1, 0), 'if (true) '));
		await until('that of one function', async () => (await edited()) === 1);
		await vscode.commands.executeCommand('undo');
		await until('none', async () => (await edited()) === 0);
	});

	it('shows the longest line of the function in the panel', async function () {
		if (!seesWindow) this.skip();
		await setSetting('codeLens', true);
		await open(fileOf(MIXTURE));
		await until('the lens in the window', () =>
			inWindow(
				() => [...document.querySelectorAll('.codelens-decoration a')].some((each) => each.textContent?.includes('×3')),
				undefined,
			),
		);
		await screenshotInEveryTheme('code-lens');
		await click('.codelens-decoration a:has-text("×3")');
		const line = lineWith(fileOf(MIXTURE), 'fs.readFile(');
		await until('the panel', () => api.panelState()?.source?.revealed === line);
	});
});

describe('the tools for language models', () => {
	/** The part of the API that is younger than the types that we compile against. */
	const lm = vscode.lm as unknown as {
		tools: { name: string }[];
		invokeTool(
			name: string,
			options: { input: object; toolInvocationToken: undefined },
		): Thenable<{ content: { value: string }[] }>;
	};
	const MIXTURE = 'mixture.cjs';

	/** A tool's answer. */
	async function ask(name: string, input: object): Promise<Record<string, unknown>> {
		const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined });
		return JSON.parse(content[0]!.value) as Record<string, unknown>;
	}

	before(async function () {
		if (typeof lm.invokeTool !== 'function') this.skip();
		const api = await waitline();
		const launch = await debug(MIXTURE, { [PROFILE_MARK]: true });
		await launch.end();
		await until('the end of the profile', () => !api.live());
	});
	after(stopAll);

	it('return the hot lines, those first that were under way for longest', async () => {
		const { name, live, lines, more } = await ask('waitline_hot_lines', { limit: 2, file: MIXTURE });
		const shown = lines as { wallMs: number; wait: { basis: string }; file: string }[];
		assert.deepEqual([name, live, shown.length], [MIXTURE, false, 2]);
		assert.ok((more as number) >= 2);
		assert.ok(shown[0]!.wallMs >= shown[1]!.wallMs);
		assert.equal(shown[0]!.file, fileOf(MIXTURE));
		assert.equal(shown[0]!.wait.basis, 'measured');
	});

	it('return one line in detail', async () => {
		const line = lineWith(fileOf(MIXTURE), 'fs.readFile(');
		const { operations } = await ask('waitline_line_detail', { file: MIXTURE, line });
		const [read] = operations as { op: string; count: number; typical: object; callers: object[] }[];
		assert.deepEqual([read!.op, read!.count], ['fs.readFile', 3]);
		assert.ok(read!.typical !== null && read!.callers.length > 0);
	});

	it('return the findings and the processes', async () => {
		const { findings, processes } = await ask('waitline_findings', {});
		assert.deepEqual(
			(findings as { code: FindingCode }[]).filter(({ code }) => !OF_STALLS.has(code)),
			[],
		);
		assert.equal((processes as { platform: string }[])[0]!.platform, process.platform);
	});

	it('answer what they cannot do with a sentence for the model', async () => {
		await assert.rejects(async () => ask('waitline_line_detail', { file: MIXTURE, line: 1 }), /Lines with figures: \d/);
		await assert.rejects(async () => ask('waitline_line_detail', { file: 'nowhere.js', line: 1 }), /hot lines tool/);
		await assert.rejects(async () => ask('waitline_hot_lines', { file: 'nowhere.js' }), /without "file" and "class"/);
	});
});
