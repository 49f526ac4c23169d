// How much of a processor each run and each job needed. Where more of them computed at once than there were processors, each was slower than it
// would be alone: they shared the processors alike, which is what the schedulers of all systems aim at.
import { middle } from '../common/estimate.ts';
import type { ProgramLog } from './program-log.ts';

/** In µs of a processor of its own, by run and by operation. */
export interface Demands {
	readonly runs: Float64Array;
	/** Of jobs: at least, probably, at most; 0 for other operations, NaN for jobs that were never done. */
	readonly least: Float64Array;
	readonly middle: Float64Array;
	readonly most: Float64Array;
}

/** @param cores processors that the process could use when it was recorded */
export function demandsOf({ runs, operations }: ProgramLog, cores: number): Demands {
	const count = operations.length;
	const demands = {
		runs: new Float64Array(runs.length),
		least: new Float64Array(count),
		middle: new Float64Array(count),
		most: new Float64Array(count),
	};
	const computed: Computing[] = [];
	runs.forEach(({ begin, end }, run) => {
		computed.push({
			from: begin,
			to: end,
			take: (share) => {
				demands.runs[run] = share * (end - begin);
			},
		});
	});
	operations.forEach(({ job }, index) => {
		if (job === null) return;
		if (job.times === null) {
			demands.least[index] = demands.middle[index] = demands.most[index] = Number.NaN;
			return;
		}
		const { began, done } = job.times;
		const from = middle(began);
		const to = Math.max(from, middle(done));
		const take = (share: number) => {
			demands.least[index] = share * Math.max(0, done.low - began.high);
			demands.middle[index] = share * (to - from);
			demands.most[index] = share * Math.max(0, done.high - began.low);
		};
		if (job.isCompute) computed.push({ from, to, take });
		else take(1);
	});
	share(computed, cores);
	return demands;
}

/** Something that computed; `take` receives the share of a processor that it had. */
interface Computing {
	from: number;
	to: number;
	take(share: number): void;
}

function share(stretches: readonly Computing[], cores: number): void {
	const starts = [...stretches].sort((a, b) => a.from - b.from);
	const ends = [...stretches].sort((a, b) => a.to - b.to);
	const begun = new Map<Computing, number>();
	let at = 0;
	let running = 0;
	/** What something that computed all the time would have got by now. */
	let got = 0;
	const goTo = (time: number) => {
		got += (time - at) * Math.min(1, cores / Math.max(1, running));
		at = time;
	};
	let next = 0;
	for (const stretch of ends) {
		for (; next < starts.length && starts[next]!.from <= stretch.to; next++) {
			goTo(starts[next]!.from);
			begun.set(starts[next]!, got);
			running++;
		}
		goTo(stretch.to);
		running--;
		const length = stretch.to - stretch.from;
		stretch.take(length > 0 ? (got - begun.get(stretch)!) / length : 1);
		begun.delete(stretch);
	}
}
