// Which rows of a long table have to exist: those in view and a few around them, so that the next Tab has a row to go to.

/** Rows beyond each edge of the view. */
const BEYOND = 12;

export interface RowsInView {
	/** Index of the first, and the one behind the last. */
	first: number;
	end: number;
	/** The height of all above and of all below, in CSS pixels. */
	above: number;
	below: number;
}

/**
 * @param heights of all rows, in CSS pixels
 * @param top how much of them is above the view, in CSS pixels
 * @param room the height of the view, in CSS pixels
 */
export function rowsInView(heights: readonly number[], top: number, room: number): RowsInView {
	let first = 0;
	let above = 0;
	while (first < heights.length && above + heights[first]! <= top) above += heights[first++]!;
	let end = first;
	let bottom = above;
	while (end < heights.length && bottom < top + room) bottom += heights[end++]!;
	for (let more = BEYOND; more > 0 && first > 0; more--) above -= heights[--first]!;
	end = Math.min(heights.length, end + BEYOND);
	let below = 0;
	for (let index = end; index < heights.length; index++) below += heights[index]!;
	return { first, end, above, below };
}
