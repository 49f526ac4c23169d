// How much a finding matters: the share of the process' time that operations lost by it.
import type { Severity } from '../../protocol/report.ts';

/**
 * People notice that something takes a fifth longer or shorter, and hardly less than that (Seow, Designing and
 * Engineering Time, 2008: “the 20 % rule”). Four findings of a quarter of that would be noticed together.
 */
const LEAST_SHARE = { high: 0.2, medium: 0.05 };

/** While a program runs, a level is left only below this part of its share, so that it does not go to and fro. */
const LEAVES_AT = 0.5;

/**
 * @param share lost time over the process' time; above 1 where many operations waited at once
 * @param before the finding's severity in the report before; null where there is none
 */
export function severityOf(share: number, before: Severity | null = null): Severity {
	const isAtLeast = (level: 'high' | 'medium', was: boolean) =>
		share >= LEAST_SHARE[level] || (was && share >= LEAST_SHARE[level] * LEAVES_AT);
	if (isAtLeast('high', before === 'high')) return 'high';
	return isAtLeast('medium', before === 'high' || before === 'medium') ? 'medium' : 'low';
}
