// What annotations cost the person who types and scrolls: in a file of 10,000 annotated lines, and while a program runs that
// starts 10,000 operations a second. Both in turn with the same without, so that a machine whose speed drifts treats them alike.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { OUT_VARIABLE } from '../environment.ts';
import { fileOf, lineWith, open, setSetting, until, waitline } from './editor.ts';
import { latencies, quantile } from './latency.ts';
import { debug, stopAll } from './session.ts';
import { cpuTime, seenLines } from './window.ts';

const LINES = 10_000;
const ROUNDS = 8;
const KEYS = 40;
const PAGES = 20;
const RATE = 10_000;
/** The least that the program has to start, with a window beside it on the same processors, for the figures to mean anything. */
const LEAST_SHARE = 0.8;
/** What the window takes to come to rest after a change that is not measured, in ms. */
const REST_MS = 2000;

/** What keys cost. */
interface Cost {
	/** Latencies, in the order of the rounds. */
	ms: number[];
	/** CPU time of the window's main thread, of all keys. */
	cpuMs: number;
}

type Costs = Record<'typing' | 'scrolling', Cost>;

type Variant = 'without' | 'with' | 'again';

const noCosts = (): Costs => ({ typing: { ms: [], cpuMs: 0 }, scrolling: { ms: [], cpuMs: 0 } });

/** What the benchmark reads. */
export interface KeyFigures {
	medianMs: number;
	p95Ms: number;
	/** Per key. */
	cpuMs: number;
	count: number;
}

export type TypingFigures = Record<Variant, Record<keyof Costs, KeyFigures>>;

describe('typing and scrolling', function () {
	this.timeout(10 * 60_000);
	let api: WaitlineApi;

	before(async () => {
		api = await waitline();
	});
	afterEach(async () => {
		await stopAll();
		await setSetting('annotations.enabled', undefined);
	});

	async function pressed(into: Cost, keys: readonly string[]): Promise<void> {
		const before = await cpuTime();
		into.ms.push(...(await latencies(keys)));
		into.cpuMs += (await cpuTime()) - before;
	}

	/** Types in a line and turns pages, at a line of the open file. */
	async function measure(into: Costs, line: number): Promise<void> {
		const editor = vscode.window.activeTextEditor!;
		const position = editor.document.lineAt(line).range.end;
		editor.selection = new vscode.Selection(position, position);
		editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
		await sleep(REST_MS);
		await pressed(
			into.typing,
			Array.from({ length: KEYS }, (_, index) => (index % 8 === 7 ? 'Enter' : 'x')),
		);
		await pressed(
			into.scrolling,
			Array.from({ length: PAGES }, (_, index) => (index < PAGES / 2 ? 'PageDown' : 'PageUp')),
		);
		await vscode.commands.executeCommand('workbench.action.files.revert');
	}

	it('in 10,000 annotated lines', async () => {
		const file = fileOf('ten-thousand.cjs');
		const lines = Array.from({ length: LINES }, (_, index) => `setTimeout(Boolean, ${1 + (index % 50)}, ${index});`);
		writeFileSync(file, `${lines.join('\n')}\n`);
		await open(file);
		const launch = await debug('ten-thousand.cjs', { [PROFILE_MARK]: true });
		await launch.end();
		await until('the end of the profile', () => !api.live());
		await until('10,000 annotations', () => api.annotations(file).length === LINES);
		const costs = { without: noCosts(), with: noCosts(), again: noCosts() };
		const variants = ['without', 'with', 'again'] as const;
		for (let round = 0; round < ROUNDS; round++) {
			for (let turn = 0; turn < variants.length; turn++) {
				const variant = variants[(round + turn) % variants.length]!;
				await setSetting('annotations.enabled', variant === 'with');
				await until(
					'the texts to be there or gone',
					async () => (await seenLines()).some((line) => line.after !== '') === (variant === 'with'),
				);
				await measure(costs[variant], LINES / 2 + round * 50);
			}
		}
		record('lines', costs);
	});

	it('while a program starts 10,000 operations a second', async () => {
		const file = fileOf('at-rate.cjs');
		// Pages to turn.
		appendFileSync(file, '// more\n'.repeat(1000));
		const costs = { without: noCosts(), with: noCosts(), again: noCosts() };
		const variants = ['without', 'with', 'again'] as const;
		for (let round = 0; round < ROUNDS; round++) {
			for (let turn = 0; turn < variants.length; turn++) {
				const variant = variants[(round + turn) % variants.length]!;
				await vscode.commands.executeCommand('waitline.clearAnnotations');
				const editor = await open(file);
				const stopFile = fileOf(`stop ${round} ${turn}`);
				const launch = await debug('at-rate.cjs', {
					env: { RATE: String(RATE), STOP_FILE: stopFile },
					[PROFILE_MARK]: variant === 'with',
				});
				await until('the program', () => launch.children.length > 0);
				const began = performance.now();
				await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
				if (variant === 'with') await until('annotations', () => api.annotations(file).length > 9);
				await measure(costs[variant], lineWith(file, 'setImmediate') - 1);
				assert.equal(editor.document.isDirty, false);
				writeFileSync(stopFile, '');
				await launch.end();
				const perSecond = Number(readFileSync(stopFile, 'utf8')) / ((performance.now() - began) / 1000);
				assert.ok(perSecond > RATE * LEAST_SHARE, `${perSecond.toFixed()} operations a second`);
			}
		}
		record('rate', costs);
	});
});

function record(name: string, costs: Record<Variant, Costs>): void {
	const figuresOf = ({ ms, cpuMs }: Cost): KeyFigures => ({
		medianMs: quantile(ms, 0.5),
		p95Ms: quantile(ms, 0.95),
		cpuMs: cpuMs / ms.length,
		count: ms.length,
	});
	const both = ({ typing, scrolling }: Costs) => ({ typing: figuresOf(typing), scrolling: figuresOf(scrolling) });
	const figures: TypingFigures = {
		without: both(costs.without),
		with: both(costs.with),
		again: both(costs.again),
	};
	writeFileSync(path.join(process.env[OUT_VARIABLE]!, `${name}.json`), JSON.stringify(figures));
}
