// What several positions of one line have under way together, as two calls in one `Promise.all`. Their figures are kept apart, since in a bundle one line
// of the script is many lines of the sources; where all of them turn out to be one line there too, this is what it had under way.
import type { UnderWay } from './under-way.ts';

export class SharedLine {
	/** What each position has under way. */
	readonly members: UnderWay[];
	/** What they have together. */
	readonly underWay: UnderWay;

	/** @param first the line's only position so far */
	constructor(first: UnderWay) {
		this.members = [first];
		this.underWay = first.copy();
	}
}
