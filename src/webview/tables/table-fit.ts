// Makes the columns of a table as wide as what they have shown so far, so that none changes its width while figures come and go, and takes out those for
// which there is no room.
import type { ViewStrings } from '../../protocol/webview.ts';
import { SPARK_WIDTH } from '../common/spark.ts';
import { fittingColumns, TextWidths } from './column-fit.ts';
import type { Column } from './table-model.ts';

/** Left and right of a cell's text, and the mark of the sort order, in CSS pixels. */
const CELL_PADDING = 17;
const SORT_MARK = 14;
/** The button that opens a row, the bar beside a share, and the column of the jump, in CSS pixels. */
const EXPANDER = 22;
const BAR_WIDTH = 64;
const JUMP = 36;
/** A column of texts takes no more than this share of the view ... */
const WIDEST_TEXT = 0.4;
/** ... and no other column has to leave so that locations get more than this share, or this many CSS pixels. */
const ENOUGH_LOCATION = 0.22;
const ENOUGH_LOCATION_PX = 140;
/** Below this width, in CSS pixels, one scrolls to what does not fit. */
const LEAST_LOCATION_PX = 100;
/** A bold text is wider than the same text that is not; no font is known in which it is by more. */
const BOLD = 1.15;

export class TableFit<Item> {
	readonly #table: HTMLTableElement;
	/** All, in their order. */
	readonly #columns: readonly Column<Item>[];
	readonly #words: ViewStrings;
	readonly #widths = new TextWidths();
	/** The widest text of each column so far, in CSS pixels. */
	readonly #needs = new Map<string, number>();

	constructor(table: HTMLTableElement, columns: readonly Column<Item>[], words: ViewStrings) {
		this.#table = table;
		this.#columns = columns;
		this.#words = words;
	}

	/**
	 * @param chosen the columns that the person wants
	 * @param room the width of the view, in CSS pixels
	 * @param texts what a column shows now
	 */
	apply(chosen: readonly Column<Item>[], room: number, texts: (column: Column<Item>) => readonly string[]): void {
		if (this.#widths.use(this.#table)) this.#needs.clear();
		const jump = this.#table.querySelector('col.jump') === null ? 0 : JUMP;
		const columns = chosen.map((column) => {
			const { id, rank } = column;
			return { id, rank, width: this.#widthOf(column, texts(column), room) };
		});
		const [location, ...others] = columns;
		const wanted = location!.width;
		location!.width = Math.min(wanted, Math.max(ENOUGH_LOCATION_PX, room * ENOUGH_LOCATION));
		const shown = fittingColumns(columns, room - jump);
		const taken = others.filter(({ id }) => shown.has(id)).reduce((sum, { width }) => sum + width, jump);
		const lacking = chosen.filter(({ id, isInFirst }) => isInFirst === true && !shown.has(id)).map(({ id }) => id);
		const besides = others.filter(({ id }) => lacking.includes(id)).reduce((sum, { width }) => sum + width, 0);
		location!.width = Math.max(LEAST_LOCATION_PX, Math.min(wanted + besides, room - taken));
		this.#table.classList.toggle('lacks-columns', lacking.length > 0);
		const widths = new Map(columns.map(({ id, width }) => [id, Math.floor(width)]));
		const measures = this.#table.querySelectorAll('col');
		this.#columns.forEach(({ id }, index) => {
			measures[index]!.style.width = `${widths.get(id) ?? 0}px`;
			measures[index]!.hidden = !shown.has(id);
		});
		for (const { className, cells } of this.#table.rows) {
			if (className === 'details' || className === 'spacer') {
				cells[0]!.colSpan = shown.size + (jump > 0 ? 1 : 0);
				continue;
			}
			this.#columns.forEach(({ id }, index) => {
				cells[index]!.hidden = !shown.has(id);
			});
		}
	}

	#widthOf(column: Column<Item>, texts: readonly string[], room: number): number {
		const head = this.#widths.of(this.#words[column.label]) * BOLD + SORT_MARK;
		const widest = Math.max(this.#needs.get(column.id) ?? 0, head, ...texts.map((text) => this.#widths.of(text)));
		this.#needs.set(column.id, widest);
		const beside = column === this.#columns[0] ? EXPANDER : column.bar === undefined ? 0 : BAR_WIDTH;
		const picture = column.spark === undefined ? 0 : SPARK_WIDTH;
		const width = Math.ceil(Math.max(widest, picture)) + CELL_PADDING + beside;
		return column.figure ? width : Math.min(width, room * WIDEST_TEXT);
	}
}
