// The annotated source of one file: its text with what each line waited for behind it, as in the editor.
import { annotationText } from '../../protocol/annotation.ts';
import { compareWall } from '../../protocol/latency.ts';
import { factsByFile, type LineFacts } from '../../protocol/line-facts.ts';
import type { Drawn, ViewFile, ViewSource, ViewState, ViewStrings } from '../../protocol/webview.ts';
import { fill } from '../../protocol/webview.ts';
import { codeLine, element, setLabel, setText } from '../common/dom.ts';
import { button, Choice } from '../common/toolkit.ts';
import { type CodeLine, highlighted } from './highlight.ts';

export interface SourceViewEvents {
	/** The person, or a jump, chose a file. */
	choose(fileId: number): void;
	requestSource(fileId: number): void;
	open(fileId: number, line: number): void;
}

/** One line's elements; the annotation is made when the line first has one. */
interface SourceRow {
	root: HTMLElement;
	note: HTMLElement | undefined;
}

export class SourceView {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #events: SourceViewEvents;
	readonly #choice: Choice;
	readonly #open: HTMLElement;
	readonly #code = element('div', { className: 'code' });
	readonly #note = element('p', { className: 'note' });
	#state: ViewState | null = null;
	#fileId: number | null;
	/** The file whose text is drawn, or asked for. */
	#requested: number | null = null;
	#source: ViewSource | null = null;
	#rows: SourceRow[] = [];
	#annotations: { line: number; text: string }[] = [];
	#revealed: number | null = null;

	constructor(words: ViewStrings, fileId: number | null, events: SourceViewEvents) {
		this.#words = words;
		this.#fileId = fileId;
		this.#events = events;
		this.#choice = new Choice('file', words.chooseFile, (value) => this.#choose(Number(value)));
		this.#open = button('', () => this.#openLine(this.#revealed ?? 1));
		const scroll = element('div', { className: 'scroll' }, this.#code);
		// Without annotations nothing in it takes the focus that the keyboard needs to scroll it.
		scroll.tabIndex = 0;
		scroll.setAttribute('role', 'region');
		setLabel(scroll, words.tabSource);
		const bar = element('div', { className: 'source-bar' }, this.#choice.root, this.#open);
		this.root = element('div', { className: 'source' }, bar, this.#note, scroll);
	}

	/** What is shown, for the host's tests. */
	get drawn(): Drawn['source'] {
		if (this.#source === null) return null;
		const { fileId, lines, error, note } = this.#source;
		return { fileId, revealed: this.#revealed, lineCount: lines.length, annotations: this.#annotations, error, note };
	}

	update(state: ViewState | null): void {
		this.#state = state;
		const files = state?.files ?? [];
		const chosen = files.find(({ id }) => id === this.#fileId) ?? slowest(state);
		this.#choice.set(
			files.map((file) => ({ value: String(file.id), text: file.label })),
			chosen === undefined ? '' : String(chosen.id),
		);
		this.#open.hidden = chosen === undefined;
		setText(this.#open, chosen === undefined ? '' : fill(this.#words.openInEditor, chosen.label));
		setText(
			this.#note,
			this.#source?.error ??
				this.#source?.note ??
				(files.length > 0 ? '' : this.#words[state === null ? 'noSession' : 'empty']),
		);
		if (chosen === undefined) return;
		this.#fileId = chosen.id;
		if (this.#requested !== chosen.id) {
			this.#requested = chosen.id;
			this.#events.requestSource(chosen.id);
		}
		this.#annotate(chosen);
	}

	/** The host's answer; an answer for a file that the person has left meanwhile is dropped. */
	show(source: ViewSource): void {
		if (source.fileId !== this.#fileId) return;
		this.#source = source;
		const name = this.#state?.files.find(({ id }) => id === source.fileId)?.label ?? '';
		const colours = highlighted(source.lines, name);
		this.#rows = source.lines.map((text, index) => this.#row(text, index + 1, colours?.[index]));
		this.#code.replaceChildren(...this.#rows.map((row) => row.root));
		// As wide as the widest number, in characters.
		this.#code.style.setProperty('--digits', String(String(source.lines.length).length));
		this.update(this.#state);
		this.#scroll();
	}

	reveal(fileId: number, line: number): void {
		if (fileId !== this.#fileId) this.#choose(fileId);
		this.#revealed = line;
		this.#scroll();
	}

	#choose(fileId: number): void {
		if (fileId === this.#fileId) return;
		this.#fileId = fileId;
		this.#source = null;
		this.#rows = [];
		this.#annotations = [];
		this.#revealed = null;
		this.#code.replaceChildren();
		this.#events.choose(fileId);
		this.update(this.#state);
	}

	#row(text: string, line: number, pieces: CodeLine | undefined): SourceRow {
		const number = element('span', { className: 'number' }, String(line));
		const root = element('div', { className: 'line' }, number, codeLine(text, pieces));
		root.addEventListener('dblclick', () => this.#openLine(line));
		return { root, note: undefined };
	}

	#openLine(line: number): void {
		if (this.#fileId !== null) this.#events.open(this.#fileId, line);
	}

	#annotate(file: ViewFile): void {
		const facts: Map<number, LineFacts> =
			(this.#state && factsByFile(this.#state.report).get(file.path)) ?? new Map<number, LineFacts>();
		this.#annotations = [];
		this.#rows.forEach((row, index) => {
			const found = facts.get(index + 1);
			const text = found === undefined ? '' : annotationText(found, this.#words);
			if (row.note === undefined && text !== '') {
				// A button, since the keyboard has no double click.
				row.note = element('button', { className: 'annotation' });
				row.note.addEventListener('click', () => this.#openLine(index + 1));
				row.root.append(row.note);
			}
			if (row.note !== undefined) setText(row.note, text);
			row.root.classList.toggle('blocked', (found?.blocks.length ?? 0) > 0);
			if (text !== '') this.#annotations.push({ line: index + 1, text });
		});
	}

	/** The line of the file that was under way for the longest time. */
	get #hottest(): number | null {
		const path = this.#state?.files.find(({ id }) => id === this.#fileId)?.path;
		const lines = this.#state?.report.lines.filter(({ file }) => file === path) ?? [];
		return lines.sort(compareWall)[0]?.line ?? null;
	}

	#scroll(): void {
		for (const [index, row] of this.#rows.entries()) {
			row.root.classList.toggle('marked', index + 1 === this.#revealed);
		}
		const line = this.#revealed ?? this.#hottest;
		if (line !== null) this.#rows[line - 1]?.root.scrollIntoView({ block: 'center' });
	}
}

/** The file whose lines were under way for the longest time: what a person most likely wants to see first. */
function slowest(state: ViewState | null): ViewFile | undefined {
	if (state === null) return undefined;
	const waits = new Map<string, number>();
	for (const line of state.report.lines) {
		waits.set(line.file, (waits.get(line.file) ?? 0) + line.wallMs);
	}
	const longest = [...waits].sort((a, b) => b[1] - a[1])[0];
	return state.files.find((file) => file.path === longest?.[0]) ?? state.files[0];
}
