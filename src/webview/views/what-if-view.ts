// What if the pool had another size, there were other processors, or a line were faster: a form, the sizes beside one another, and each line under the
// size that was chosen. The host replays the session; nothing is computed here.
import type { Durations } from '../../protocol/report.ts';
import { threadName } from '../../protocol/thread-name.ts';
import { formatCount, formatMs, formatRange } from '../../protocol/units.ts';
import { fill, type ViewState, type ViewStrings } from '../../protocol/webview.ts';
import { MOST_THREADS, type WhatIfFigures, type WhatIfProcess, type WhatIfReport } from '../../protocol/what-if.ts';
import { element, setLabel, setText } from '../common/dom.ts';
import { lineLink } from '../common/line-details.ts';
import { button, Choice } from '../common/toolkit.ts';
import { plainTable } from '../tables/plain-table.ts';

/** What the form asks: null is as it was. */
export interface WhatIfForm {
	cores: number | null;
	line: { fileId: number; line: number; percent: number } | null;
}

export interface WhatIfEvents {
	ask(form: WhatIfForm): void;
	/** Something else is drawn. */
	changed(): void;
	open(fileId: number, line: number): void;
}

const NO_LINE = '';

export class WhatIfView {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #events: WhatIfEvents;
	readonly #cores = numberField(1, MOST_THREADS);
	readonly #percent = numberField(0, 1000);
	readonly #line: Choice;
	readonly #note = element('p', { className: 'note' });
	readonly #answer = element('div');
	#chosenLine = NO_LINE;
	#state: ViewState | null = null;
	#report: WhatIfReport | null = null;
	#isAsked = false;
	/** The size whose lines are shown; null: the one that was recorded. */
	#threads: number | null = null;

	constructor(words: ViewStrings, events: WhatIfEvents) {
		this.#words = words;
		this.#events = events;
		this.#line = new Choice('what-if-line', words.whatIfLine, (value) => {
			this.#chosenLine = value;
		});
		this.#percent.value = '50';
		setLabel(this.#percent, fill(words.whatIfPercent, '…'));
		const [before = '', after = ''] = words.whatIfPercent.split('{0}');
		this.#note.setAttribute('role', 'status');
		const form = element(
			'form',
			{ className: 'what-if-form' },
			element('label', {}, words.whatIfCores, this.#cores),
			this.#line.root,
			element('label', {}, before, this.#percent, after),
			button(words.whatIfReplay, () => this.#ask()),
		);
		form.addEventListener('submit', (event) => {
			event.preventDefault();
			this.#ask();
		});
		this.root = element('div', { className: 'scroll what-if' }, form, this.#note, this.#answer);
		this.root.tabIndex = 0;
		this.root.setAttribute('role', 'region');
		setLabel(this.root, words.tabWhatIf);
	}

	/** Texts of the cells, row by row, for the host's tests. */
	get texts(): string[][] {
		return textsOf(this.#answer);
	}

	update(state: ViewState | null): void {
		if (state?.sessionName !== this.#state?.sessionName) this.#clear();
		this.#state = state;
		this.#offerLines();
		if (this.#report === null) setText(this.#note, state === null ? this.#words.noSession : this.#note.textContent);
	}

	/** Lines that can be made faster: those of the processes that were replayed, as far as their jobs were. */
	#offerLines(): void {
		const labels = new Map(this.#state?.files.map(({ path, label, id }) => [path, { label, id }]));
		const options = (this.#report?.predictions ?? []).flatMap(({ lines }) =>
			lines.flatMap(({ file, line }) => {
				const known = labels.get(file);
				return known === undefined ? [] : [{ value: `${known.id}:${line}`, text: `${known.label}:${line}` }];
			}),
		);
		const unique = [...new Map(options.map((option) => [option.value, option])).values()];
		this.#line.set([{ value: NO_LINE, text: this.#words.whatIfNoLine }, ...unique], this.#chosenLine);
	}

	/** Asks, if nothing has been asked of this session yet. */
	askFirst(): void {
		if (!this.#isAsked) this.#ask();
	}

	/** Asks what the form says. */
	#ask(): void {
		if (this.#state === null) return;
		this.#isAsked = true;
		setText(this.#note, this.#words.whatIfRunning);
		const [fileId, line] = this.#chosenLine.split(':').map(Number);
		const percent = this.#percent.valueAsNumber;
		const isLine = fileId !== undefined && line !== undefined && Number.isFinite(percent);
		const cores = this.#cores.valueAsNumber;
		this.#events.ask({
			cores: Number.isInteger(cores) ? cores : null,
			line: isLine ? { fileId, line, percent: percent - 100 } : null,
		});
	}

	/** The host's answer; a sentence where there is none. */
	show(report: WhatIfReport | null, problem: string | null): void {
		this.#report = report;
		if (report !== null) this.#offerLines();
		const words = this.#words;
		const none = report === null ? (problem ?? '') : report.predictions.length === 0 ? words.whatIfNone : '';
		setText(this.#note, none);
		this.#draw();
	}

	#clear(): void {
		this.#report = null;
		this.#isAsked = false;
		this.#threads = null;
		this.#chosenLine = NO_LINE;
		this.#answer.replaceChildren();
		setText(this.#note, '');
	}

	#draw(): void {
		const { predictions = [], areCoresKnown = true } = this.#report ?? {};
		const byProcess = new Map<number, WhatIfProcess[]>();
		for (const each of predictions) byProcess.set(each.pid, [...(byProcess.get(each.pid) ?? []), each]);
		const parts = [...byProcess.values()].flatMap((all) => this.#process(all));
		if (parts.length > 0) parts.push(element('p', { className: 'note' }, this.#words.whatIfHelp));
		if (!areCoresKnown) parts.push(element('p', { className: 'note' }, this.#words.whatIfCoresUnknown));
		this.#answer.replaceChildren(...parts);
	}

	#process(all: readonly WhatIfProcess[]): HTMLElement[] {
		const words = this.#words;
		const [{ pid, recorded, total, endedMs, left }] = all as [WhatIfProcess];
		const process = this.#state?.report.processes.find((each) => each.pid === pid && each.threadId === 0);
		const shown = all.find(({ conditions }) => conditions.threads === (this.#threads ?? recorded.threads)) ?? all[0]!;
		const texts = [
			fill(words.whatIfRecorded, process === undefined ? pid : threadName(process), recorded.threads, recorded.cores),
			fill(
				words.whatIfReplayed,
				formatCount(total.count),
				formatMs(total.replayed.totalMs),
				formatMs(endedMs.replayed),
				formatMs(total.recorded.totalMs),
				formatMs(endedMs.recorded),
			),
			...(left > 0 ? [fill(words.whatIfLeft, formatCount(left))] : []),
		];
		const sizes = plainTable(
			[
				words.whatIfThreads,
				words.columnMedian,
				words.columnP95,
				words.columnTotalWait,
				words.columnQueue,
				words.whatIfLast,
			],
			all.map((each) => ({
				head: this.#sizeButton(each),
				cells: [
					ranged(each.total, 'p50Ms'),
					ranged(each.total, 'p95Ms'),
					ranged(each.total, 'totalMs'),
					formatMs(each.total.queueMs.predicted),
					formatMs(each.endedMs.predicted),
				],
				isMarked: each === shown,
			})),
		);
		const lines = plainTable(
			[
				fill(words.whatIfLines, shown.conditions.threads),
				words.columnMedian,
				words.columnP95,
				words.columnTotalWait,
				words.columnQueue,
			],
			shown.lines.map((line) => ({
				head: this.#lineHead(line),
				cells: [
					...(['p50Ms', 'p95Ms', 'totalMs'] as const).map(
						(figure) => `${formatMs(line.recorded[figure])} → ${ranged(line, figure)}`,
					),
					`${formatMs(line.queueMs.recorded)} → ${formatMs(line.queueMs.predicted)}`,
				],
			})),
		);
		return [...texts.map((text) => element('p', {}, text)), sizes, lines];
	}

	#sizeButton({ conditions, recorded }: WhatIfProcess): HTMLElement {
		const { threads } = conditions;
		const text = threads === recorded.threads ? fill(this.#words.whatIfAsRecorded, threads) : String(threads);
		const made = element('button', { className: 'link' }, text);
		made.addEventListener('click', () => {
			this.#threads = threads;
			this.#draw();
			this.root.focus();
			this.#events.changed();
		});
		return made;
	}

	#lineHead(line: WhatIfProcess['lines'][number]): HTMLElement {
		const link = lineLink(line, this.#state?.files ?? [], this.#words, this.#events.open);
		return element('span', {}, link, ` ${line.op} ×${formatCount(line.count)}`);
	}
}

function ranged({ predicted: { range } }: WhatIfFigures, figure: keyof Durations): string {
	return formatRange(range.low[figure], range.high[figure]);
}

function numberField(min: number, max: number): HTMLInputElement {
	const field = element('input');
	field.type = 'number';
	field.min = String(min);
	field.max = String(max);
	field.step = '1';
	return field;
}

/** The texts of all cells of the tables in an element, row by row. */
export function textsOf(root: HTMLElement): string[][] {
	return [...root.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent ?? ''));
}
