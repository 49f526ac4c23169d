// The whole way: a debug session of the real js-debug, and what Waitline then shows of the program's lines.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { blockedFor } from './blocked-for.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import {
	entryOf,
	eventually,
	fileOf,
	lineWith,
	open,
	setSetting,
	testedNodes,
	until,
	waitline,
	workspaceFolder,
} from './editor.ts';
import { debug, launched, stopAll } from './session.ts';
import {
	answerDialog,
	choose,
	click,
	dialogField,
	hoverAfter,
	inWindow,
	press,
	quickPickRows,
	screenshot,
	seenLines,
	seesWindow,
	typeInDialog,
} from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
/** How long a stop at a breakpoint lasts at least, in ms. */
const PAUSE_MS = 2000;
const PROFILED = { [PROFILE_MARK]: true };

describe('a debug session', () => {
	let api: WaitlineApi;
	let line: number;

	before(async () => {
		api = await waitline();
		line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
	});
	afterEach(async () => {
		await stopAll();
		await setSetting('profileEveryNodeSession', undefined);
	});

	/** What stands behind the line of the hashes. On a busy machine other lines may have blocked the loop, which stands behind those. */
	const annotationAt = (at: number) => api.annotations(fileOf(HASHES)).find((each) => each.line === at);

	/** What has to be true of five hashes on a pool of one thread. */
	function assertFiveQueuedHashes(): void {
		const hashes = entryOf(api.report(), fileOf(HASHES), line, 'crypto.pbkdf2');
		assert.deepEqual([hashes.class, hashes.count, hashes.pending], ['threadpool', 5, 0]);
		// One thread: the hashes queue for 0, 1, 2, 3 and 4 executions, however long each of them takes. So the last one queues for all the others.
		const queue = hashes.queue!;
		const execute = hashes.execute!;
		const others = [execute.totalMs - execute.maxMs, execute.totalMs].map((ms) => ms / queue.maxMs);
		assert.ok(others[0]! < 1.1 && others[1]! > 0.9, JSON.stringify({ queue, execute }));
		// The ones before it queue, too.
		assert.ok(queue.totalMs > queue.maxMs, JSON.stringify({ queue, execute }));
		assert.equal(api.report()?.pools[0]?.size, 1);
		const { emitted, decoded, dropped, lost } = api.report()!.accounting;
		assert.deepEqual({ dropped, lost, decoded }, { dropped: 0, lost: 0, decoded: emitted });
	}

	it('shows a built program on the lines of its TypeScript', async () => {
		const source = fileOf('mapped.ts');
		const hashes = lineWith(source, 'pbkdf2(password');
		await open(source);
		const launch = await debug('out/mapped.js', PROFILED);
		await launch.end();
		await until('the annotation of the source', () =>
			api.annotations(source).some((at) => at.line === hashes && /×2 threadpool/.test(at.text)),
		);
		assert.deepEqual(api.annotations(fileOf('out', 'mapped.js')), []);
		if (!seesWindow) return;
		await until('the text behind the line', async () =>
			(await seenLines()).some((seen) => seen.line === hashes && seen.after.includes('×2 threadpool')),
		);
		await screenshotInEveryTheme('source-mapped');
	});

	it('of a file that was never saved saves it first, where the person chooses, and follows its lines from then on', async function () {
		if (!seesWindow) this.skip();
		const content = "const fs = require('node:fs');\n\nfs.readFile(__filename, () => setTimeout(() => {}, 50));\n";
		const { uri } = await vscode.workspace.openTextDocument({ language: 'javascript', content });
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.window.showTextDocument(uri);
		const command = () => vscode.commands.executeCommand<boolean>('waitline.debug', uri);
		const dialog = () => until('the question where to', async () => (await dialogField()).endsWith('.js'));
		const refused = command();
		await dialog();
		assert.equal(await answerDialog('Escape', refused), false);
		const file = fileOf('first saved.cjs');
		const started = command();
		await dialog();
		await typeInDialog(file);
		try {
			assert.equal(await answerDialog('Enter', started), true);
			await until('the text behind the line', async () =>
				(await seenLines()).some(({ line, after }) => line === 3 && /×1 threadpool/.test(after)),
			);
			assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, file);
			await until('the end of the profile', () => !api.live());
			await vscode.window.activeTextEditor!.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n'));
			await until('it one line further down', async () =>
				(await seenLines()).some(({ line, after }) => line === 4 && /×1 threadpool/.test(after)),
			);
			await screenshotInEveryTheme('first-saved');
			await vscode.commands.executeCommand('workbench.action.files.revert');
		} finally {
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			rmSync(file, { force: true });
		}
	});

	it('shows what its Workers wait for', async () => {
		const file = fileOf('threads.cjs');
		await open(file);
		const launch = await debug('threads.cjs', PROFILED);
		await launch.end();
		await until('the end of the profile', () => !api.live());
		const report = api.report()!;
		assert.deepEqual(report.processes.map(({ threadId, end }) => [threadId, end]).toSorted(), [
			[0, 'exit'],
			[1, 'exit'],
		]);
		assert.equal(entryOf(report, file, lineWith(file, 'crypto.pbkdf2('), 'crypto.pbkdf2').count, 1);
		assert.equal(entryOf(report, file, lineWith(file, 'new Worker('), 'new Worker').class, 'worker');
	});

	it('started with F5 is profiled when the setting demands it', async () => {
		await setSetting('profileEveryNodeSession', true);
		await open(fileOf(HASHES));
		const launch = await launched(() =>
			seesWindow ? press('F5') : vscode.commands.executeCommand('workbench.action.debug.start'),
		);
		assert.equal(launch.root.name, 'Hashes on one thread');
		await launch.end();
		await until('the end of the profile', () => !api.live());

		assert.equal(launch.root.type, 'pwa-node');
		assert.equal(launch.children.length, 1, 'nothing but the program is a child session');
		assert.ok(launch.received.some(({ type, command }) => type === 'response' && command === 'initialize'));
		assert.equal(launch.events('terminated').length > 0, true);
		assertFiveQueuedHashes();
	});

	it('annotates the line, through the API', async () => {
		// What is drawn is up to 250 ms behind the report.
		const annotation = await until('the annotation of all five', () =>
			api.annotations(fileOf(HASHES)).find(({ text }) => text.includes('×5 threadpool')),
		);
		assert.equal(annotation.line, line);
		assert.match(annotation.text, /░/);
		for (const other of api.annotations(fileOf(HASHES)).filter((each) => each.line !== line))
			assert.match(other.text, /^■ /);
		assert.deepEqual(api.annotations(vscode.Uri.file(fileOf(HASHES)).toString()), api.annotations(fileOf(HASHES)));
	});

	it('shows the annotation behind the line, in the window', async function () {
		if (!seesWindow) this.skip();
		await until('the text behind the line, and no other', async () => {
			const shown = (await seenLines()).filter((seen) => seen.after !== '');
			const expected = api.annotations(fileOf(HASHES));
			return isDeepStrictEqual(
				shown.map(({ line: at, after }) => ({ line: at, text: after })),
				expected,
			);
		});
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
		await screenshot('editor-annotation');
	});

	it('shows the details in a hover', async function () {
		if (!seesWindow) this.skip();
		const annotated = (await seenLines()).find((seen) => seen.line === line);
		await hoverAfter(annotated!);
		const text = await until('a hover about the operation', () =>
			inWindow(() => {
				const hovers = [...document.querySelectorAll('.monaco-hover')].map((found) => found.textContent ?? '');
				return hovers.find((found) => found.includes('crypto.pbkdf2') && found.includes('threadpool'));
			}, undefined).then((found) => found ?? undefined),
		);
		assert.match(text, /5/);
		await screenshot('editor-hover');
		await press('Escape');
	});

	it('stays annotated after its end, also in an editor opened later', async () => {
		const before = api.annotations(fileOf(HASHES));
		await open(fileOf('rounds.cjs'));
		await open(fileOf(HASHES));
		assert.deepEqual(api.annotations(fileOf(HASHES)), before);
		if (!seesWindow) return;
		await until('the text behind the line', async () =>
			(await seenLines()).some((seen) => seen.line === line && seen.after === annotationAt(line)!.text),
		);
	});

	it('takes its annotations along when lines are inserted above', async () => {
		const editor = await open(fileOf(HASHES));
		const { text } = annotationAt(line)!;
		await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// one\n// two\n'));
		try {
			await until('the moved annotation', () => annotationAt(line + 2)?.text === text);
			if (seesWindow) {
				await until('the moved text', async () =>
					(await seenLines()).some((seen) => seen.line === line + 2 && seen.after === text),
				);
			}
		} finally {
			await vscode.commands.executeCommand('undo');
			await vscode.commands.executeCommand('workbench.action.files.revert');
		}
		await until('the annotation back in its place', () => annotationAt(line)?.text === text);
	});

	it('loses its annotations with the command, and keeps its report', async () => {
		await vscode.commands.executeCommand('waitline.clearAnnotations');
		await until('no annotation', () => api.annotations(fileOf(HASHES)).length === 0);
		assert.ok(api.report());
		if (!seesWindow) return;
		await until('no text behind a line', async () => (await seenLines()).every((seen) => seen.after === ''));
	});

	it('can be started with the button in the editor’s title', async function () {
		if (!seesWindow) this.skip();
		await open(fileOf(HASHES));
		const launch = await launched(async () => {
			const button = '.editor-actions .action-label[aria-label^="Debug with Async Profile"]';
			await until('the button', () => inWindow((selector) => document.querySelector(selector) !== null, button));
			await click(button);
		});
		assert.equal(launch.root.configuration.program, fileOf(HASHES));
		await launch.end();
		await until('the end of the profile', () => !api.live());
	});

	it('can be started with the command on the current file', async () => {
		await open(fileOf(HASHES));
		const uri = vscode.window.activeTextEditor!.document.uri;
		const launch = await launched(() => vscode.commands.executeCommand('waitline.debug', uri));
		await launch.end();
		await until('the end of the profile', () => !api.live());
		const hashes = entryOf(api.report(), fileOf(HASHES), line, 'crypto.pbkdf2');
		assert.deepEqual([hashes.class, hashes.count], ['threadpool', 5]);
		assert.equal(api.report()?.pools[0]?.size, 4, "Node's own default, as the current file sets none");
	});

	it('can be started with the command on a chosen launch configuration', async () => {
		await open(fileOf(HASHES));
		const done = vscode.commands.executeCommand('waitline.debug');
		// The current file comes first, then the configurations as launch.json has them.
		const inOrder = [HASHES, 'Hashes on one thread', 'Hashes on two threads'];
		if (seesWindow) {
			const rows = await until('the list of what to run', async () => {
				const seen = await quickPickRows();
				return seen.some((row) => row.includes(inOrder[2]!)) ? seen : undefined;
			});
			inOrder.forEach((name, index) => {
				assert.ok(rows[index]?.includes(name), rows.join('\n'));
			});
			await choose(inOrder[2]!);
		} else await acceptedUnseen(2);
		const launch = await launched(() => done);
		assert.equal(launch.root.name, 'Hashes on two threads');
		await launch.end();
		await until('the end of the profile', () => !api.live());
		assert.equal(api.report()?.pools[0]?.size, 2);
		assert.equal(api.report()?.pools[0]?.maxQueued, 3);
	});

	it('is profiled when its type is pwa-node', async () => {
		const launch = await debug(HASHES, { type: 'pwa-node', env: { UV_THREADPOOL_SIZE: '1' }, ...PROFILED });
		await launch.end();
		await until('the end of the profile', () => !api.live());
		assertFiveQueuedHashes();
	});

	it('is profiled when it is a terminal of js-debug', async () => {
		const before = api.report();
		const launch = await launched(() =>
			vscode.debug.startDebugging(workspaceFolder(), {
				type: 'node-terminal',
				request: 'launch',
				name: 'in a terminal',
				command: `node ${HASHES}`,
				cwd: workspaceFolder().uri.fsPath,
				env: { UV_THREADPOOL_SIZE: '1' },
				...PROFILED,
			}),
		);
		await until('five hashes of the terminal', () => {
			const report = api.report();
			return report !== before && report?.lines.some((each) => each.line === line && each.count === 5);
		});
		await vscode.debug.stopDebugging(launch.root);
		await launch.end();
		await until('the end of the profile', () => !api.live());
		assertFiveQueuedHashes();
	});

	it('may pause at a breakpoint, which is no wait, no run and no block', async () => {
		const uri = vscode.Uri.file(fileOf(HASHES));
		const inCallback = lineWith(fileOf(HASHES), 'console.log(');
		const breakpoint = new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(inCallback - 1, 0)));
		vscode.debug.addBreakpoints([breakpoint]);
		try {
			const began = performance.now();
			const launch = await debug(HASHES, { env: { UV_THREADPOOL_SIZE: '1' }, ...PROFILED });
			await until('the pause', () => launch.events('stopped').length === 1);
			const paused = performance.now();
			await vscode.commands.executeCommand('workbench.debug.action.focusRepl');
			await screenshotInEveryTheme('paused');
			await launch.removeBreakpoints([breakpoint]);
			// Longer than the session took until here, so that a pause that counted would not fit into what is left of the session.
			await sleep(Math.max(PAUSE_MS, 1.5 * (paused - began)));
			const pausedMs = performance.now() - paused;
			await launch.children[0]!.customRequest('continue', { threadId: launch.events('stopped')[0]!.body!.threadId });
			await launch.end();
			const runningMs = performance.now() - began - pausedMs;
			await until('the end of the profile', () => !api.live());
			const hashes = entryOf(api.report(), fileOf(HASHES), line, 'crypto.pbkdf2');
			assert.equal(hashes.count, 5);
			// Four of the five were under way all the time.
			assert.ok(hashes.wait!.maxMs < runningMs, `wait ${hashes.wait!.maxMs} ms of ${runningMs}`);
			assert.ok(hashes.run!.totalMs < pausedMs / 2, `run ${hashes.run!.totalMs} ms`);
			assert.ok(hashes.lag!.totalMs < pausedMs / 2, `lag ${hashes.lag!.totalMs} ms`);
			const blocks = api.report()!.loops.flatMap((loop) => loop.blocks);
			assert.ok(!blocks.some(({ durationMs }) => durationMs > pausedMs / 2), JSON.stringify(blocks));
		} finally {
			vscode.debug.removeBreakpoints([breakpoint]);
			await vscode.commands.executeCommand('workbench.action.closePanel');
		}
	});

	for (const { major, path: runtimeExecutable } of testedNodes()) {
		it(`may run on Node ${major}`, async () => {
			const launch = await debug(HASHES, { runtimeExecutable, env: { UV_THREADPOOL_SIZE: '1' }, ...PROFILED });
			await launch.end();
			await until('the end of the profile', () => !api.live());
			assert.equal(api.report()?.processes[0]?.node.split('.')[0], String(major));
			assertFiveQueuedHashes();
		});
	}

	it('may be of an ES module', async () => {
		const launch = await debug('modules.mjs', { env: { UV_THREADPOOL_SIZE: '1' }, ...PROFILED });
		await launch.end();
		await until('the end of the profile', () => !api.live());
		const at = lineWith(fileOf('modules.mjs'), "hash('password'");
		const hashes = entryOf(api.report(), fileOf('modules.mjs'), at, 'crypto.pbkdf2');
		assert.deepEqual([hashes.class, hashes.count], ['threadpool', 3]);
		// One thread works on one of them at a time, whenever each was submitted and however long it takes.
		const { execute, wallMs } = hashes;
		assert.ok(execute!.totalMs <= wallMs + execute!.uncertaintyMs + 1, JSON.stringify({ execute, wallMs }));
	});

	it('shows every process of the program', async () => {
		const launch = await debug('parent.cjs', PROFILED);
		await launch.end();
		await until('the end of the profile', () => !api.live());
		const [first, second] = api.report()!.processes;
		assert.equal(api.report()!.processes.length, 2);
		assert.ok(first!.pid === second!.parentPid || second!.pid === first!.parentPid);
		const at = lineWith(fileOf('parent.cjs'), 'crypto.pbkdf2(');
		assert.equal(entryOf(api.report(), fileOf('parent.cjs'), at, 'crypto.pbkdf2').count, 2);
	});

	it('shows after which wait the event loop was blocked', async () => {
		// Stack samples would name the line that computed, whenever there is one.
		await setSetting('sampleBlocks', false);
		try {
			await open(fileOf('blocks.cjs'));
			const launch = await debug('blocks.cjs', PROFILED);
			await launch.end();
			await until('the end of the profile', () => !api.live());
			const at = lineWith(fileOf('blocks.cjs'), 'setTimeout(');
			const blocks = api.report()!.loops[0]!.blocks.filter((each) => each.line === at);
			assert.ok(
				blocks.some(({ durationMs }) => durationMs > 190),
				JSON.stringify(api.report()!.loops),
			);
			const said = `code after this wait blocked the loop ${blockedFor(blocks)}`;
			// Until it is drawn anew, an annotation shows what was known a moment before the end.
			await eventually(true, () => {
				const text = api.annotations(fileOf('blocks.cjs')).find((each) => each.line === at)?.text;
				return text?.includes(said) === true || text;
			});
			await screenshotInEveryTheme('editor-block');
		} finally {
			await setSetting('sampleBlocks', undefined);
		}
	});

	describe("with a path that contains a space and the user's own NODE_OPTIONS", () => {
		const program = ['with space', 'own options.cjs'] as const;
		const own = () => `--require ${JSON.stringify(fileOf('with space', 'own preload.cjs'))} --stack-trace-limit=7`;

		/** Runs it and returns what it saw. */
		async function run(parts: Partial<vscode.DebugConfiguration>) {
			const reportFile = path.join(os.tmpdir(), `seen-${process.hrtime.bigint()}.json`);
			const env = { REPORT_FILE: reportFile, ...(parts.env as object | undefined) };
			const launch = await debug(program.join('/'), { ...parts, env });
			await launch.end();
			assert.ok(existsSync(reportFile), 'the program ran');
			return JSON.parse(readFileSync(reportFile, 'utf8')) as Seen;
		}

		interface Seen {
			nodeOptions: string;
			tracedInto?: string;
			own?: string;
			preloaded: boolean;
			stackTraceLimit: number;
		}

		function assertOwnOptionsSurvived(seen: Seen): void {
			assert.ok(seen.nodeOptions.includes(own()), seen.nodeOptions);
			assert.equal(seen.preloaded, true);
			assert.equal(seen.stackTraceLimit, 7);
		}

		function assertOneHash(): void {
			const at = lineWith(fileOf(...program), 'crypto.pbkdf2(');
			assert.equal(entryOf(api.report(), fileOf(...program), at, 'crypto.pbkdf2').count, 1);
		}

		it('both survive', async () => {
			const seen = await run({ env: { NODE_OPTIONS: own(), OWN: 'kept' }, ...PROFILED });
			await until('the end of the profile', () => !api.live());
			assertOwnOptionsSurvived(seen);
			assert.equal(seen.own, 'kept');
			assert.ok(seen.tracedInto);
			assertOneHash();
		});

		it('both survive when the options come from an envFile', async () => {
			// Single quotes: dotenv takes what is between them as it is.
			writeFileSync(fileOf('with space', 'own.env'), `NODE_OPTIONS='${own()}'\nOWN=kept\n`);
			const seen = await run({ envFile: fileOf('with space', 'own.env'), ...PROFILED });
			await until('the end of the profile', () => !api.live());
			assertOwnOptionsSurvived(seen);
			assert.equal(seen.own, 'kept');
			assertOneHash();
		});

		it('a plain session gets nothing from Waitline', async () => {
			const before = api.report();
			const seen = await run({ env: { NODE_OPTIONS: own() } });
			assertOwnOptionsSurvived(seen);
			assert.equal(seen.tracedInto, undefined);
			assert.doesNotMatch(seen.nodeOptions, /tracer/);
			assert.equal(api.live(), false);
			assert.equal(api.report(), before, 'the last profile is still the one that is shown');
		});
	});

	/** Waits for a list, moves down `steps` times and takes the entry, where there is no window to see. */
	async function acceptedUnseen(steps: number): Promise<void> {
		await sleep(2000);
		for (let step = 0; step < steps; step++) {
			await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
		}
		await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
	}
});
