// The panel's head: which programs ran, how full their pools and how busy their loops were, and every reason to doubt
// the figures (losses, warnings).
import { MARK } from '../protocol/annotation.ts';
import { worstReduction } from '../protocol/reduction.ts';
import type { Process, Report } from '../protocol/report.ts';
import { threadName } from '../protocol/thread-name.ts';
import { formatCount, formatMs } from '../protocol/units.ts';
import { fill, reductionText, type ViewState, type ViewStrings } from '../protocol/webview.ts';
import { element } from './dom.ts';
import { tag } from './toolkit.ts';

export class Header {
	readonly root = element('header', { className: 'header' });
	readonly #words: ViewStrings;
	readonly #facts = element('ul', { className: 'facts' });
	readonly #notices = element('div', { className: 'notices' });
	#shown = '';
	/** Texts as shown, for the host's tests. */
	facts: string[] = [];
	notices: string[] = [];

	constructor(words: ViewStrings) {
		this.#words = words;
		// A screen reader reads a new warning, not every new figure.
		this.#notices.setAttribute('role', 'status');
	}

	update(state: ViewState | null): void {
		this.facts = state === null ? [] : factsOf(state.report, this.#words);
		this.notices = state === null ? [] : noticesOf(state, this.#words);
		const shown = JSON.stringify([state?.sessionName, state?.live, this.facts, this.notices]);
		if (shown === this.#shown) return;
		this.#shown = shown;
		if (state === null) {
			this.root.replaceChildren();
			return;
		}
		const name = element('h1', {}, state.sessionName);
		name.append(' ', tag(state.live ? this.#words.live : this.#words.ended, state.live ? 'live' : 'ended'));
		this.#facts.replaceChildren(...this.facts.map((text) => element('li', {}, text)));
		this.#notices.replaceChildren(
			...this.notices.map((text) => element('p', { className: 'notice' }, `${MARK.warning} ${text}`)),
		);
		this.root.replaceChildren(name, this.#facts, this.#notices);
	}
}

/** How long the longest process has run, and a sentence for each thread and each pool. */
function factsOf(report: Report, words: ViewStrings): string[] {
	const facts = report.processes.map((each) => [processText(each, words), loopText(each, report, words)].join(' · '));
	const durationMs = Math.max(...report.processes.map((each) => each.durationMs));
	if (report.processes.length > 0) facts.unshift(formatMs(durationMs));
	for (const { pid, size, maxQueued, saturatedMs } of report.pools) {
		const pool = fill(words.pool, pid, size, maxQueued);
		facts.push(saturatedMs > 0 ? `${pool} · ${fill(words.saturated, formatMs(saturatedMs))}` : pool);
	}
	if (report.untraced.length > 0) facts.push(fill(words.untraced, formatCount(report.untraced.length)));
	return facts;
}

function processText(process: Process, words: ViewStrings): string {
	const { pid, threadId, node, end } = process;
	const state = words[`end.${end}`];
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
