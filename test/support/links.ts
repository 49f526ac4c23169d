// Links and pictures of Markdown pages, and whether they lead anywhere.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './paths.ts';

/** Where vsce makes relative targets point: `blob` for links, `raw` for pictures. */
const REWRITTEN = /^https:\/\/github\.com\/[^/]+\/waitline\/(?:blob|raw)\/HEAD\//;

/**
 * The targets in a page that lead nowhere. An address on another site is not checked; one that vsce has made must name
 * a file of the repository.
 * @param isThere whether a relative target exists
 */
export function leadNowhere(page: string, isThere: (target: string) => boolean): string[] {
	const targets = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!.replace(/#.*$/, ''));
	return targets.filter((target) => {
		if (target === '' || isThere(target)) return false;
		if (REWRITTEN.test(target)) return !existsSync(path.join(root, target.replace(REWRITTEN, '')));
		return !/^https:/.test(target);
	});
}
