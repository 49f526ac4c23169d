// The status bar item: how busy the loop and the pool are while a session runs, a warning while a loop is blocked, and
// the totals in the end.
import * as vscode from 'vscode';
import type { ProcessNow } from '../host/sessions/live-session.ts';
import { loopBusyLongest } from '../protocol/loop-busy-longest.ts';
import { worstReduction } from '../protocol/reduction.ts';
import type { Report } from '../protocol/report.ts';
import { formatCount, formatMs } from '../protocol/units.ts';
import { visibleText } from '../protocol/visible-text.ts';
import { reductionText, type ViewStrings } from '../protocol/webview.ts';
import { Throttle } from './common/throttle.ts';
import { pidOfSession, threadOf } from './debugging/debugger-pauses.ts';
import { markdownString } from './details/hover.ts';
import type { ActiveSession } from './sessions/active-session.ts';
import type { Sessions } from './sessions/sessions.ts';

/** Right of the debugger's own items, left of the language ones. */
const PRIORITY = 50;

export class StatusBar implements vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #active: ActiveSession;
	readonly #words: ViewStrings;
	readonly #collectsAsyncStacks: (session: vscode.DebugSession) => boolean;
	readonly #item = vscode.window.createStatusBarItem('waitline.status', vscode.StatusBarAlignment.Left, PRIORITY);
	readonly #throttle = new Throttle(() => this.#draw());
	readonly #disposables: vscode.Disposable[];
	#visible = false;

	/** @param collectsAsyncStacks whether the debugger collects asynchronous call stacks in a session */
	constructor(
		sessions: Sessions,
		active: ActiveSession,
		words: ViewStrings,
		collectsAsyncStacks: (session: vscode.DebugSession) => boolean,
	) {
		this.#sessions = sessions;
		this.#active = active;
		this.#words = words;
		this.#collectsAsyncStacks = collectsAsyncStacks;
		this.#item.name = 'Waitline';
		this.#item.command = 'waitline.showPanel';
		this.#disposables = [
			this.#item,
			this.#throttle,
			sessions.onDidChange(() => this.#throttle.request()),
			active.onDidChange(() => this.#throttle.request()),
		];
	}

	/** The text, or undefined while hidden. */
	get text(): string | undefined {
		return this.#visible ? this.#item.text : undefined;
	}

	#draw(): void {
		const session = this.#sessions.current;
		this.#visible = session !== undefined && (session.live || !session.cleared);
		if (session === undefined || !this.#visible) {
			this.#item.hide();
			return;
		}
		const report = session.report();
		const active = this.#active.current;
		const now = focused(session.now?.() ?? [], active);
		const blockedMs = Math.max(0, ...now.flatMap(({ threads }) => threads.map((thread) => thread.blockedMs ?? 0)));
		const parts = statusParts(report, now);
		if (blockedMs > 0) parts.unshift(vscode.l10n.t('loop blocked for {0}', formatMs(blockedMs)));
		const isCollecting =
			active !== undefined && this.#sessions.of(active) === session && this.#collectsAsyncStacks(active);
		if (isCollecting) parts.push(vscode.l10n.t('async stacks on'));
		// The focused session is not profiled, or the person chose to see another one.
		const name = visibleText(session.name);
		if (active !== undefined && this.#sessions.of(active) !== session) parts.unshift(name);
		const range = session.limited.range;
		if (range !== null) parts.unshift(vscode.l10n.t('only {0} to {1}', formatMs(range.fromMs), formatMs(range.toMs)));
		const text = parts.join(' · ');
		// No icon that spins: the window would draw 20 frames a second for as long as the program runs.
		const icon = blockedMs > 0 ? 'warning' : session.live ? 'pulse' : 'watch';
		this.#item.text = `$(${icon}) ${text}`;
		this.#item.backgroundColor = blockedMs > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
		const state = session.live
			? vscode.l10n.t('Waitline is profiling “{0}”. Click for the panel.', name)
			: vscode.l10n.t('Waitline’s profile of “{0}”. Click for the panel.', name);
		const reduction = worstReduction(report.processes);
		const about = reduction === null ? [state] : [state, reductionText(reduction, this.#words)];
		if (isCollecting) this.#item.tooltip = withAsyncStacks(about);
		else this.#item.tooltip = range === null ? about.join('\n\n') : limitedTo(about);
		this.#item.accessibilityInformation = { label: `Waitline: ${text}`, role: 'button' };
		this.#item.show();
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}

/** A remark on what the debugger costs besides, with the command that ends it. */
function withAsyncStacks(paragraphs: readonly string[]): vscode.MarkdownString {
	const why = vscode.l10n.t(
		'The debugger is collecting asynchronous call stacks: each await takes several µs longer, which can cost more than the program itself.',
	);
	const label = vscode.l10n.t('Stop collecting');
	return markdownString([
		...[...paragraphs, why].map((data) => ({ paragraph: [{ data }] })),
		{ paragraph: [{ label, command: 'waitline.turnOffAsyncStacks', args: [] }] },
	]);
}

/** A remark on what is left out, with the command that shows it again. */
function limitedTo(paragraphs: readonly string[]): vscode.MarkdownString {
	const why = vscode.l10n.t('Limited to the stretch of time chosen on the panel’s strip.');
	const label = vscode.l10n.t('Show all');
	return markdownString([
		...[...paragraphs, why].map((data) => ({ paragraph: [{ data }] })),
		{ paragraph: [{ label, command: 'waitline.showAllTime', args: [] }] },
	]);
}

/** The thread whose debug session has the focus, or its process, where that is known, else all. */
function focused(now: readonly ProcessNow[], session: vscode.DebugSession | undefined): readonly ProcessNow[] {
	if (session === undefined) return now;
	const threadId = threadOf(session.name);
	// A Worker's session is a child of its process's.
	const pid = pidOfSession((threadId > 0 && session.parentSession?.name) || session.name);
	// The session of a program that was attached to names no process; where there is only one process, it is that.
	const found = pid === undefined && now.length === 1 ? now : now.filter((process) => process.pid === pid);
	if (found.length === 0) return now;
	return found.map((process) => {
		const threads = process.threads.filter((thread) => thread.threadId === threadId);
		return threads.length > 0 ? { ...process, threads } : process;
	});
}

/**
 * `loop 42 %`, `pool 3/4 · 2 queued` while it runs, of the busiest loop and the fullest pool; afterwards the most that
 * the pool was used.
 */
function statusParts(report: Report, now: readonly ProcessNow[]): string[] {
	const isOurs = ({ pid }: { pid: number }) => now.length === 0 || now.some((process) => process.pid === pid);
	const isOurLoop = ({ pid, threadId }: { pid: number; threadId: number }) =>
		now.length === 0 ||
		now.some((each) => each.pid === pid && each.threads.some((thread) => thread.threadId === threadId));
	const parts: string[] = [];
	// The current values while it runs; afterwards those of the whole run.
	const shares = now.flatMap(({ threads }) => threads.flatMap((thread) => thread.utilization ?? []));
	const utilization =
		shares.length > 0
			? Math.max(...shares)
			: loopBusyLongest(report.loops.filter(isOurLoop), report.processes)?.utilization;
	if (utilization !== undefined) parts.push(vscode.l10n.t('loop {0} %', Math.round(utilization * 100)));
	const pool = report.pools.filter(isOurs).toSorted((a, b) => b.maxQueued - a.maxQueued)[0];
	const load = pool && now.find(({ pid }) => pid === pool.pid);
	if (load !== undefined) {
		parts.push(vscode.l10n.t('pool {0}/{1} · {2} queued', load.poolBusy, pool!.size, formatCount(load.poolQueued)));
	} else if (pool !== undefined) {
		parts.push(vscode.l10n.t('pool {0} · max queued {1}', pool.size, formatCount(pool.maxQueued)));
	}
	return parts.length > 0 ? parts : [vscode.l10n.t('waiting for the program')];
}
