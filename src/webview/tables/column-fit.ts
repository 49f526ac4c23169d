// Which columns of a table fit beside each other: as many as there is room for, the least important leave first.

/** A column with the width that its texts need, in CSS pixels. */
export interface FitColumn {
	id: string;
	/** Which leaves first: the one with the highest; those with 0 stay. */
	rank: number;
	width: number;
}

/**
 * The columns that are shown.
 * @param room for all of them, in CSS pixels
 */
export function fittingColumns(columns: readonly FitColumn[], room: number): Set<string> {
	const shown = [...columns];
	let width = shown.reduce((sum, column) => sum + column.width, 0);
	for (const column of [...columns].sort((a, b) => b.rank - a.rank)) {
		if (width <= room || column.rank === 0) break;
		width -= column.width;
		shown.splice(shown.indexOf(column), 1);
	}
	return new Set(shown.map(({ id }) => id));
}

/** Measures texts in the font of an element, without laying them out. */
export class TextWidths {
	readonly #context = document.createElement('canvas').getContext('2d');
	readonly #known = new Map<string, number>();
	#font = '';

	/** Takes the font of `node`. @returns whether it is another one than before */
	use(node: HTMLElement): boolean {
		const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(node);
		const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
		if (font === this.#font) return false;
		this.#font = font;
		this.#known.clear();
		if (this.#context !== null) this.#context.font = font;
		return true;
	}

	/** In CSS pixels. All digits are as wide as a zero, so texts that differ in digits alone are measured once. */
	of(text: string): number {
		const pattern = text.replace(/\d/g, '0');
		const known = this.#known.get(pattern);
		if (known !== undefined) return known;
		const width = this.#context?.measureText(pattern).width ?? 0;
		this.#known.set(pattern, width);
		return width;
	}
}
