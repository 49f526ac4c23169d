// Every job whose figures are off, in words that lead to the reason: times are µs since the load's first submit.
import { overlap } from './cpu-waits.ts';
import type { Run } from './measure.ts';

/** Told and true times may differ by so much, µs, before a job is listed. */
const NOTABLE_US = 1000;

export function explain({ pairs, delays }: Run): string[] {
	const zero = pairs[0]?.told.started ?? 0;
	const at = (us: number) => (us - zero).toFixed(0);
	const lines: string[] = [];
	for (const { told, truth } of pairs) {
		const { id, started, called, began, done } = told;
		const away = (low: number, high: number, us: number) => Math.max(0, low - us, us - high);
		const off = Math.max(
			began === null ? Number.POSITIVE_INFINITY : away(began.low, began.high, truth.began),
			away(done.low, done.high, truth.ended),
		);
		if (off < NOTABLE_US) continue;
		lines.push(
			`  job ${id} started ${at(started)}: began ${began === null ? '?' : `${at(began.low)}..${at(began.high)}`} ` +
				`(truth ${at(truth.began)} on ${truth.tid}, no CPU ${truth.cpuWait.toFixed(0)}), ` +
				`done ${at(done.low)}..${at(done.high)} (truth ${at(truth.ended)}), called ${at(called)} ` +
				`(news under way ${overlap(delays, truth.ended, called).toFixed(0)})`,
		);
	}
	return lines;
}
