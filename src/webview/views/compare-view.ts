// What got slower than in sessions of before a change: line by line, regressions first. The host asks which sessions, and compares.
import type { ComparedFigure, ComparedLine, Comparison } from '../../protocol/comparison.ts';
import { formatCount, formatMs, formatRange } from '../../protocol/units.ts';
import { fill, type ViewState, type ViewStrings } from '../../protocol/webview.ts';
import { element, setLabel, setText } from '../common/dom.ts';
import { lineLink } from '../common/line-details.ts';
import { button } from '../common/toolkit.ts';
import { type PlainRow, plainTable } from '../tables/plain-table.ts';
import { textsOf } from './what-if-view.ts';

export interface CompareEvents {
	ask(): void;
	open(fileId: number, line: number): void;
}

export class CompareView {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #open: CompareEvents['open'];
	readonly #note = element('p', { className: 'note' });
	readonly #answer = element('div');
	#state: ViewState | null = null;

	constructor(words: ViewStrings, events: CompareEvents) {
		this.#words = words;
		this.#open = events.open;
		this.#note.setAttribute('role', 'status');
		setText(this.#note, words.compareHelp);
		const bar = element(
			'p',
			{},
			button(words.compareChoose, () => events.ask()),
		);
		this.root = element('div', { className: 'scroll compare' }, bar, this.#note, this.#answer);
		this.root.tabIndex = 0;
		this.root.setAttribute('role', 'region');
		setLabel(this.root, words.tabCompare);
	}

	/** Texts of the cells, row by row, for the host's tests. */
	get texts(): string[][] {
		return textsOf(this.#answer);
	}

	update(state: ViewState | null): void {
		if (state?.sessionName !== this.#state?.sessionName) {
			this.#answer.replaceChildren();
			setText(this.#note, this.#words.compareHelp);
		}
		this.#state = state;
	}

	/** The host's answer. @param text about it: with what it was compared, or why it could not be */
	show(comparison: Comparison | null, text: string): void {
		setText(this.#note, text);
		this.#answer.replaceChildren(...(comparison === null ? [] : this.#tables(comparison)));
	}

	#tables({ lines, runs }: Comparison): HTMLElement[] {
		const words = this.#words;
		const columns = [
			words.columnLocation,
			words.columnChange,
			words.columnMedian,
			words.columnP95,
			words.columnCount,
			words.columnCost,
		];
		const table = plainTable(
			columns,
			lines.map((line) => this.#row(line)),
		);
		const basis = runs.before > 1 && runs.after > 1 ? words.compareBasisRuns : words.compareBasis;
		return [table, element('p', { className: 'note' }, basis)];
	}

	#row(line: ComparedLine): PlainRow {
		const { verdict, op, before, after, costMs } = line;
		const words = this.#words;
		const place = (after ?? before)!;
		// What is gone is no line of this session.
		const files = after === null ? [] : (this.#state?.files ?? []);
		const head = element('span', {}, lineLink(place, files, words, this.#open), ` ${op}`);
		if (before !== null && after !== null && before.line !== after.line) {
			head.append(` ${fill(words.compareWas, before.line)}`);
		}
		const figure = (name: 'p50' | 'p95') =>
			[before, after].flatMap((side) => (side === null ? [] : [textOf(side[name])]));
		const counts = [before, after].flatMap((side) => (side === null ? [] : [formatCount(side.count)]));
		return {
			head,
			cells: [
				`${words[`verdict.${verdict}`]}${changeText(line)}`,
				figure('p50').join(' → '),
				figure('p95').join(' → '),
				[...new Set(counts)].join(' → '),
				verdict === 'slower' || verdict === 'faster' ? formatMs(costMs) : '',
			],
			kind: verdict,
		};
	}
}

function textOf({ ms, band }: ComparedFigure): string {
	return band === null ? formatMs(ms) : `${formatMs(ms)} (${formatRange(band.low, band.high)})`;
}

/** By how much the median has changed. */
function changeText({ before, after, verdict }: ComparedLine): string {
	if (before === null || after === null || before.p50.ms === 0 || verdict === 'same' || verdict === 'unclear')
		return '';
	const percent = Math.round(100 * (after.p50.ms / before.p50.ms - 1));
	return ` ${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${formatCount(Math.abs(percent))} %`;
}
