// The findings as cards: what was found and why it matters, the code that it is about, what helps, and the ways to the line, the timeline and the fix.

import { formatCount } from '../../protocol/units.ts';
import {
	type Excerpt,
	fill,
	type ThreadTime,
	type ViewFile,
	type ViewFinding,
	type ViewState,
	type ViewStrings,
} from '../../protocol/webview.ts';
import { codeLine, element, setLabel, setText } from '../common/dom.ts';
import { button } from '../common/toolkit.ts';

export interface FindingsViewEvents {
	open(fileId: number, line: number): void;
	showTime(when: ThreadTime): void;
	fix(): void;
}

export class FindingsView {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #events: FindingsViewEvents;
	readonly #list = element('ul', { className: 'findings' });
	readonly #note = element('p', { className: 'note' });
	#shown = '';
	#state: ViewState | null = null;
	#excerpts: readonly Excerpt[] = [];
	#isInTime: (when: ThreadTime) => boolean = () => true;
	/** Title, evidence and explanation of each, for the host's tests. */
	texts: string[][] = [];

	constructor(words: ViewStrings, events: FindingsViewEvents) {
		this.#words = words;
		this.#events = events;
		this.root = element('div', { className: 'scroll' }, this.#list, this.#note);
		this.root.tabIndex = 0;
		this.root.setAttribute('role', 'region');
		setLabel(this.root, words.tabFindings);
	}

	/** @param isInTime whether to show what can be seen then */
	update(state: ViewState | null, isInTime = this.#isInTime): void {
		this.#state = state;
		this.#isInTime = isInTime;
		const all = state?.findings ?? [];
		const findings = all.filter(({ when }) => when === null || isInTime(when));
		const each = findings.flatMap((finding) => [finding, ...finding.effects]);
		this.texts = each.map(({ title, evidence, explanation }) => [title, evidence, explanation]);
		setText(this.#note, this.#noteFor(state, findings.length));
		const shown = JSON.stringify([findings, this.#excerpts]);
		if (shown === this.#shown) return;
		this.#shown = shown;
		this.#list.replaceChildren(...findings.map((finding) => this.#card(finding, state?.files ?? [])));
	}

	/** The code that the findings are about, as far as it is known. */
	showExcerpts(excerpts: readonly Excerpt[]): void {
		this.#excerpts = excerpts;
		this.update(this.#state);
	}

	#noteFor(state: ViewState | null, count: number): string {
		if (state === null) return this.#words.noSession;
		const of = state.findings.length;
		if (of === 0) return this.#words.noFindings;
		return count < of ? fill(this.#words.filteredRows, formatCount(count), formatCount(of)) : '';
	}

	#card(finding: ViewFinding, files: readonly ViewFile[], level: 'h2' | 'h3' = 'h2'): HTMLElement {
		const { title, evidence, weight, explanation, severity, at, effects } = finding;
		const excerpt = this.#excerpts.find(({ fileId, line }) => fileId === at?.fileId && line === at.line);
		const card = element(
			'li',
			{ className: severity },
			element(level, {}, title),
			element('p', { className: 'weight' }, weight),
			element('p', {}, evidence),
			...(excerpt === undefined ? [] : [codeOf(excerpt)]),
			element('p', {}, explanation),
			this.#links(finding, files),
		);
		if (effects.length > 0) card.append(element('ul', {}, ...effects.map((effect) => this.#card(effect, files, 'h3'))));
		return card;
	}

	#links({ title, at, when, fix }: ViewFinding, files: readonly ViewFile[]): HTMLElement {
		const links = element('p', { className: 'links' });
		const file = files.find(({ id }) => id === at?.fileId);
		if (file !== undefined && at !== null) {
			const location = `${file.label}:${at.line}`;
			const open = element('button', { className: 'link', title: fill(this.#words.openInEditor, location) }, location);
			open.addEventListener('click', () => this.#events.open(at.fileId, at.line));
			links.append(open);
		}
		if (when !== null) {
			const show = element('button', { className: 'link timeline-link' }, this.#words.showOnTimeline);
			setLabel(show, `${this.#words.showOnTimeline}: ${title}`);
			show.addEventListener('click', () => this.#events.showTime(when));
			links.append(show);
		}
		if (fix !== null) links.append(button(fix, () => this.#events.fix()));
		return links;
	}
}

function codeOf({ line, first, lines }: Excerpt): HTMLElement {
	const rows = lines.map((text, index) => {
		const number = element('span', { className: 'number' }, String(first + index));
		return element('div', { className: first + index === line ? 'line marked' : 'line' }, number, codeLine(text));
	});
	const code = element('div', { className: 'code' }, ...rows);
	code.style.setProperty('--digits', String(String(first + lines.length).length));
	// Long lines are scrolled to, by the keyboard too.
	const excerpt = element('div', { className: 'excerpt' }, code);
	excerpt.tabIndex = 0;
	excerpt.setAttribute('role', 'group');
	setLabel(excerpt, lines[line - first] ?? '');
	return excerpt;
}
