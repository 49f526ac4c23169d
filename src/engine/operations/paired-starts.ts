// Calls of Node's that begin with two jobs at once, so that neither is a step of the other: `fs.cp` looks at the source and at the destination
// (getStats in lib/internal/fs/cp/cp.js, 18 to 26). Together they are one operation.

import { isSamePlace } from '../common/place.ts';
import type { SiteFacts } from '../lines/journal-tables.ts';

const SCRIPTS = new Set(['node:fs', 'node:internal/fs/promises']);

export class PairedStarts {
	/** The latest that was the first of its call. */
	private first: { root: number; site: SiteFacts; run: number } | null = null;

	/** The first job of the call that this start is the second one of; null where it is none. @param run the number of the callback that runs */
	firstOf(root: number, site: SiteFacts | null, run: number): number | null {
		if (site?.apiName !== 'cp' || !SCRIPTS.has(site.apiScript)) return null;
		const { first } = this;
		if (first !== null && isSameCall(first.site, site) && first.run === run) {
			this.first = null;
			return first.root;
		}
		this.first = { root, site, run };
		return null;
	}
}

/** A later generation of the journal states sites anew. */
function isSameCall(a: SiteFacts, b: SiteFacts): boolean {
	return a === b || (isSamePlace(a.user, b.user) && isSamePlace(a.library, b.library) && a.apiScript === b.apiScript);
}
