// The findings: the text of each, its line, and a link to its explanation.
import { fill, type ViewFile, type ViewFinding, type ViewState, type ViewStrings } from '../protocol/webview.ts';
import { element, setLabel, setText } from './dom.ts';

export interface FindingsViewEvents {
	open(fileId: number, line: number): void;
	explain(): void;
}

export class FindingsView {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #events: FindingsViewEvents;
	readonly #list = element('ul', { className: 'findings' });
	readonly #note = element('p', { className: 'note' });
	#shown = '';
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

	update(state: ViewState | null): void {
		const findings = state?.findings ?? [];
		const each = findings.flatMap((finding) => [finding, ...finding.effects]);
		this.texts = each.map(({ title, evidence, explanation }) => [title, evidence, explanation]);
		setText(this.#note, this.#noteFor(state));
		const shown = JSON.stringify(findings);
		if (shown === this.#shown) return;
		this.#shown = shown;
		this.#list.replaceChildren(...findings.map((finding) => this.#item(finding, state?.files ?? [])));
	}

	#noteFor(state: ViewState | null): string {
		if (state === null) return this.#words.noSession;
		return state.findings.length === 0 ? this.#words.noFindings : '';
	}

	#item(finding: ViewFinding, files: readonly ViewFile[], level: 'h2' | 'h3' = 'h2'): HTMLElement {
		const { title, evidence, weight, explanation, at, effects } = finding;
		const links = element('p', { className: 'links' });
		const file = files.find(({ id }) => id === at?.fileId);
		if (file !== undefined && at !== null) {
			const location = `${file.label}:${at.line}`;
			const title = fill(this.#words.openInEditor, location);
			const open = element('button', { className: 'link', title }, location);
			open.addEventListener('click', () => this.#events.open(at.fileId, at.line));
			links.append(open);
		}
		const explain = element('button', { className: 'link' }, this.#words.explainFinding);
		setLabel(explain, `${this.#words.explainFinding}: ${title}`);
		explain.addEventListener('click', () => this.#events.explain());
		links.append(explain);
		return element(
			'li',
			{},
			element(level, {}, title),
			element('p', {}, evidence),
			element('p', {}, explanation),
			element('p', { className: 'note' }, weight),
			links,
			...(effects.length === 0 ? [] : [element('ul', {}, ...effects.map((effect) => this.#item(effect, files, 'h3')))]),
		);
	}
}
