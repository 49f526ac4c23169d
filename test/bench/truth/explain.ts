// Every job with a figure that is off, in words that lead to the reason: times are µs since the load's first submit.
import { errorOf, isMeasured, isTooWide, MEASURED_US, TOLERANCE_US, verdictsOf } from './compare.ts';
import { overlap } from './cpu-waits.ts';
import type { Run } from './measure.ts';

export function explain(run: Run): string[] {
	const { pairs, busy, delays } = run;
	const zero = pairs[0]?.reported.started ?? 0;
	const at = (us: number) => (us - zero).toFixed(0);
	const lines: string[] = [];
	for (const [i, verdicts] of verdictsOf(run).entries()) {
		const { reported, truth } = pairs[i]!;
		const off = (verdicts ?? []).filter(
			(verdict) => errorOf(verdict) > (isMeasured(verdict.figure) ? MEASURED_US : TOLERANCE_US),
		);
		const faults = off.map((verdict) => `${verdict.name} off by ${errorOf(verdict).toFixed(0)}`);
		if (verdicts === null) faults.push('unknown');
		if (isTooWide(reported, busy)) faults.push('too wide');
		if (faults.length === 0) continue;
		const { id, started, called, began, done } = reported;
		lines.push(
			`  job ${id}: ${faults.join(', ')}; started ${at(started)} (truth ${at(truth.submitted)} to ${at(truth.queued)}), ` +
				`began ${began === null ? '?' : `${at(began.low)}..${at(began.high)}`} ` +
				`(truth ${at(truth.began)} on ${truth.tid}, no CPU ${truth.cpuWait.toFixed(0)}), ` +
				`done ${at(done.low)}..${at(done.high)} (truth ${at(truth.ended)}), called ${at(called)} ` +
				`(news under way ${overlap(delays, truth.ended, called).toFixed(0)})`,
		);
	}
	return lines;
}
