// The panel's head, in one row: which session, whether it goes on, how busy its loop and its pool were, what profiling costs, and what can be done with
// it. Each process, pool and loop is behind it, and every reason to doubt the figures (losses, warnings) below.
import { MARK } from '../../protocol/annotation.ts';
import type { Overview } from '../../protocol/overview.ts';
import { worstReduction } from '../../protocol/reduction.ts';
import type { Process, Report } from '../../protocol/report.ts';
import { threadName } from '../../protocol/thread-name.ts';
import { formatCount, formatMs, formatRange } from '../../protocol/units.ts';
import { fill, reductionText, type SessionAction, type ViewState, type ViewStrings } from '../../protocol/webview.ts';
import { element, setLabel, setText, setTitle } from '../common/dom.ts';
import { glanceOf } from '../common/glance.ts';
import { busiestLoop, queuedJobs } from '../common/session-rows.ts';
import { inSteps, Spark } from '../common/spark.ts';
import { button, tag } from '../common/toolkit.ts';

/** As many steps as the pictures have columns of pixels. */
const SPARK_STEPS = 64;

export interface HeaderEvents {
	act(action: SessionAction): void;
	/** Keep what is shown as it is, or follow the program again. */
	pause(isPaused: boolean): void;
}

export class Header {
	readonly root = element('header', { className: 'header' });
	readonly #words: ViewStrings;
	readonly #name = element('h1');
	readonly #state = element('span', { className: 'state' });
	readonly #glance = element('span', { className: 'glance' });
	readonly #pause: HTMLElement;
	/** Each in the row and, for where that has no room for them, behind "…". */
	readonly #actions: Record<SessionAction, HTMLElement[]>;
	readonly #facts = element('ul', { className: 'facts' });
	readonly #notices = element('div', { className: 'notices' });
	readonly #sparks = { loop: new Spark('--wl-execute'), pool: new Spark('--wl-queue') };
	#isPaused = false;
	#shown = '';
	/** Texts as shown, for the host's tests. */
	facts: string[] = [];
	notices: string[] = [];

	constructor(words: ViewStrings, events: HeaderEvents) {
		this.#words = words;
		this.#pause = button(words.pauseView, () => {
			this.#setPaused(!this.#isPaused);
			events.pause(this.#isPaused);
		});
		setTitle(this.#pause, words.pauseViewHelp);
		const twice = (action: SessionAction) => [0, 1].map(() => button(words[action], () => events.act(action)));
		this.#actions = { save: twice('save'), switch: twice('switch') };
		// A screen reader reads a new warning, not every new figure.
		this.#notices.setAttribute('role', 'status');
		const [inRow, behind] = [0, 1].map((place) => Object.values(this.#actions).map((buttons) => buttons[place]!)) as [
			HTMLElement[],
			HTMLElement[],
		];
		const actions = element(
			'span',
			{ className: 'actions' },
			this.#pause,
			element('span', { className: 'actions of-session' }, ...inRow),
		);
		const details = element(
			'div',
			{ className: 'details-of-session' },
			element('span', { className: 'actions of-session' }, ...behind),
			this.#facts,
		);
		const more = disclosure(words.facts, details);
		const row = element('div', { className: 'head-row' }, this.#name, this.#state, this.#glance, more, actions);
		this.root.append(row, details, this.#notices);
		this.root.hidden = true;
	}

	/** Whether the person wants what is shown to stay as it is. */
	get isPaused(): boolean {
		return this.#isPaused;
	}

	/** Ends a pause. */
	follow(): void {
		this.#setPaused(false);
	}

	#setPaused(isPaused: boolean): void {
		this.#isPaused = isPaused;
		setText(this.#pause, isPaused ? this.#words.continueView : this.#words.pauseView);
	}

	/** Shows loop and queues over time. */
	showOverview(overview: Overview): void {
		const queued = queuedJobs(overview);
		const most = queued.reduce((peak, jobs) => Math.max(peak, jobs), 0);
		this.#sparks.loop.show(inSteps(busiestLoop(overview), SPARK_STEPS));
		const shares = queued.map((jobs) => (most > 0 ? jobs / most : 0));
		this.#sparks.pool.show(inSteps(shares, SPARK_STEPS));
	}

	update(state: ViewState | null): void {
		this.root.hidden = state === null;
		const glance = state === null ? [] : glanceOf(state, this.#words);
		const facts = state === null ? [] : factsOf(state.report, this.#words);
		this.facts = [...glance.map(({ text }) => text), ...facts];
		this.notices = state === null ? [] : noticesOf(state, this.#words);
		if (state === null) return;
		const shown = JSON.stringify([state.sessionName, state.session, state.actions, glance, facts, this.notices]);
		if (shown === this.#shown) return;
		this.#shown = shown;
		setText(this.#name, state.sessionName);
		this.#state.replaceChildren(tag(this.#words[`session.${state.session}`], state.session));
		const parts = glance.map(({ text, title, over }) =>
			element('span', { title }, text, ...(over === undefined ? [] : [this.#sparks[over].root])),
		);
		this.#glance.replaceChildren(...parts);
		// What had no room in the row is here too.
		const all = [glance.map(({ text }) => text).join(' · '), ...facts];
		this.#facts.replaceChildren(...all.map((text) => element('li', {}, text)));
		this.#notices.replaceChildren(
			...this.notices.map((text) => element('p', { className: 'notice' }, `${MARK.warning} ${text}`)),
		);
		this.#pause.hidden = !state.live && !this.#isPaused;
		for (const action of ['save', 'switch'] as const) {
			for (const each of this.#actions[action]) each.hidden = !state.actions.includes(action);
		}
	}
}

/** A button that shows and hides `content`. */
function disclosure(label: string, content: HTMLElement): HTMLElement {
	const made = element('button', { className: 'link more', title: label }, '…');
	setLabel(made, label);
	const show = (isShown: boolean) => {
		content.hidden = !isShown;
		made.setAttribute('aria-expanded', String(isShown));
	};
	made.addEventListener('click', () => show(content.hidden !== false));
	show(false);
	return made;
}

/** One sentence per thread, and one per pool. */

function factsOf(report: Report, words: ViewStrings): string[] {
	const facts = report.processes.map((each) => [processText(each, words), loopText(each, report, words)].join(' · '));
	for (const { pid, size, maxQueued, saturatedMs, saturatedMostMs } of report.pools) {
		const pool = fill(words.pool, pid, size, maxQueued);
		facts.push(
			saturatedMostMs > 0 ? `${pool} · ${fill(words.saturated, formatRange(saturatedMs, saturatedMostMs))}` : pool,
		);
	}
	if (report.untraced.length > 0) facts.push(fill(words.untraced, formatCount(report.untraced.length)));
	return facts;
}
function processText(process: Process, words: ViewStrings): string {
	const { pid, threadId, node, end, signal } = process;
	const state = `${words[`end.${end}`]}${signal === null ? '' : ` (${signal})`}`;
	const name = threadName(process);
	return threadId === 0 ? fill(words.process, name, node, state) : fill(words.worker, pid, name, node, state);
}

function loopText({ pid, threadId }: Process, report: Report, words: ViewStrings): string {
	const loop = report.loops.find((each) => each.pid === pid && each.threadId === threadId);
	if (loop === undefined) return words.unknown;
	const busy = fill(words.loop, Math.round(loop.utilization * 100));
	if (loop.blocks.length === 0) return busy;
	const longest = Math.max(...loop.blocks.map((block) => block.durationMs));
	return `${busy} · ${fill(words.blocks, formatCount(loop.blocks.length), formatMs(longest))}`;
}

function noticesOf({ report, files }: ViewState, words: ViewStrings): string[] {
	const { emitted, dropped, lost } = report.accounting;
	const counts = [dropped + lost, emitted, dropped, lost].map(formatCount);
	const notices = dropped + lost > 0 ? [fill(words.lossNotice, ...counts)] : [];
	const reduction = worstReduction(report.processes);
	if (reduction !== null) notices.push(reductionText(reduction, words));
	for (const { code, file, line } of report.warnings) {
		const label = files.find(({ path }) => path === file)?.label;
		notices.push(label === undefined ? words[`warning.${code}`] : `${label}:${line} ${words[`warning.${code}`]}`);
	}
	return [...new Set(notices)];
}
