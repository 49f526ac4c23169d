// Findings while a program runs: what was shown once stays, and changes its place only for a reason, so that a person
// can read a list that is renewed four times a second.
import type { Finding } from '../../protocol/report.ts';
import { bySeverity, type Found, findingOf, keyOf, ranked } from './ranking.ts';

/** A finding goes before another of the same severity when it cost this many times as much. */
const OVERTAKES_AT = 1.25;

export class SteadyFindings {
	private shown: readonly Finding[] = [];

	/**
	 * The findings in the order of the last call as far as that still fits: what the rules no longer find stays with its
	 * last figures, as past.
	 */
	next(found: readonly Found[]): Finding[] {
		const fresh = new Map(found.map((each) => [keyOf(each), each]));
		const shown = this.shown.map((finding) => {
			const now = fresh.get(keyOf(finding));
			if (now === undefined) return { ...finding, isPast: true };
			fresh.delete(keyOf(finding));
			return findingOf(now, finding.severity);
		});
		const list = [...shown, ...ranked([...fresh.values()])];
		for (let last = 1; last < list.length; last++) {
			for (let at = last; at > 0 && overtakes(list[at]!, list[at - 1]!); at--) {
				[list[at - 1], list[at]] = [list[at]!, list[at - 1]!];
			}
		}
		this.shown = list;
		return list;
	}
}

function overtakes(one: Finding, before: Finding): boolean {
	const order = bySeverity(one, before);
	return order < 0 || (order === 0 && one.lostMs >= OVERTAKES_AT * before.lostMs && one.lostMs > before.lostMs);
}
