// What a person chooses of a table beside the filter: how its rows are grouped, and which columns it has.
import type { ViewStringKey, ViewStrings } from '../../protocol/webview.ts';
import { element, setLabel } from '../common/dom.ts';
import { Choice } from '../common/toolkit.ts';
import { GROUPING_LABEL, type TableGrouping } from './grouping.ts';

/** What was chosen; survives hiding the panel. */
export interface TableChoices {
	grouping: TableGrouping;
	/** Ids of the columns that were taken out. */
	left: string[];
}

export class TableOptions {
	readonly root: HTMLElement;
	readonly #columns: HTMLDetailsElement;
	#choices: TableChoices;

	/**
	 * @param id different for each table
	 * @param columns those that can be taken out
	 * @param onChange is called with what is chosen now
	 */
	constructor(
		id: string,
		words: ViewStrings,
		groupings: readonly TableGrouping[],
		columns: readonly { id: string; label: ViewStringKey }[],
		choices: TableChoices,
		onChange: (choices: TableChoices) => void,
	) {
		this.#choices = choices;
		const change = (changed: Partial<TableChoices>) => {
			this.#choices = { ...this.#choices, ...changed };
			onChange(this.#choices);
		};
		const grouping = new Choice(`group-${id}`, words.groupBy, (value) => change({ grouping: value as TableGrouping }));
		grouping.set(
			groupings.map((each) => ({ value: each, text: words[GROUPING_LABEL[each]] })),
			choices.grouping,
		);
		const boxes = columns.map((column) => {
			const box = element('input');
			box.type = 'checkbox';
			box.checked = !choices.left.includes(column.id);
			box.addEventListener('change', () => {
				const left = this.#choices.left.filter((each) => each !== column.id);
				change({ left: box.checked ? left : [...left, column.id] });
			});
			return element('label', {}, box, words[column.label]);
		});
		const menu = element('div', { className: 'menu' }, ...boxes);
		menu.setAttribute('role', 'group');
		setLabel(menu, words.columns);
		this.#columns = element('details', { className: 'columns' }, element('summary', {}, words.columns), menu);
		this.#columns.addEventListener('keydown', (event) => {
			if (event.key !== 'Escape' || !this.#columns.open) return;
			this.#columns.open = false;
			this.#columns.querySelector('summary')?.focus();
		});
		document.addEventListener('pointerdown', ({ target }) => {
			if (!(target instanceof Node && this.#columns.contains(target))) this.#columns.open = false;
		});
		this.root = element('div', { className: 'options' }, grouping.root, this.#columns);
	}
}
