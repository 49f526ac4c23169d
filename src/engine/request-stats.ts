// What the requests of one route have taken, added up: memory grows with routes and the lines that they wait for, not with requests.
import { addEstimate, type Estimate, noTime } from './estimate.ts';
import { type LineStats, Part } from './line-stats.ts';
import { addedUp, type OpenRequest, type PathStep, type StepKind } from './request-path.ts';
import { WallTime } from './wall-time.ts';

/** Lines distinguished per route; further ones count as one. */
const LINES_KEPT = 128;
/** Requests kept one by one per route: one of them is near the median. */
const SAMPLES_KEPT = 32;

/** One finished request; times in µs. */
export interface RequestSample {
	/** Since the journal's begin. */
	readonly arrived: number;
	readonly duration: Estimate;
	readonly steps: readonly PathStep[];
}

/** What the requests' time went to on one line. */
export interface StepSum extends PathStep {
	/** Requests that had it on their way. */
	count: number;
}

export class RequestStats {
	/** The line of the handler. */
	readonly stats: LineStats;
	count = 0;
	/** Requests whose response is not finished. */
	open = 0;
	readonly duration = new Part();
	readonly parts: Record<StepKind, Part> = {
		run: new Part(),
		wait: new Part(),
		blocked: new Part(),
		unknown: new Part(),
	};
	readonly wall = new WallTime();
	readonly samples: RequestSample[] = [];
	private readonly sums = new Map<string, StepSum>();
	private readonly ids = new Map<LineStats, number>();

	constructor(stats: LineStats) {
		this.stats = stats;
	}

	/** A response is finished. @param steps on the way of its request, in their order */
	add({ arrived }: OpenRequest, finished: number, steps: readonly PathStep[]): void {
		const at = arrived.value;
		const duration = { low: finished - arrived.high, value: finished - at, high: finished - arrived.low };
		this.duration.add(duration);
		this.wall.add(at, finished);
		const totals: Record<StepKind, Estimate> = { run: noTime(), wait: noTime(), blocked: noTime(), unknown: noTime() };
		for (const { kind, low, value, high } of steps) addEstimate(totals[kind], low, value, high);
		for (const kind of Object.keys(totals) as StepKind[]) this.parts[kind].add(totals[kind]);
		for (const step of addedUp(steps)) this.addStep(step);
		this.keep({ arrived: at, duration, steps: steps.length <= SAMPLES_KEPT * 4 ? steps : addedUp(steps) });
		this.count++;
	}

	/** By kind and line. */
	*steps(): Generator<StepSum> {
		yield* this.sums.values();
	}

	/** The kept request whose duration is nearest to the median; null when none has finished. */
	get typical(): RequestSample | null {
		const { median } = this.duration;
		const distance = ({ duration }: RequestSample) => Math.abs(duration.value - median);
		return this.samples.reduce<RequestSample | null>(
			(best, sample) => (best === null || distance(sample) < distance(best) ? sample : best),
			null,
		);
	}

	private addStep(step: PathStep): void {
		const { kind, stats, place } = step;
		let key = `${kind} ${stats === null ? '' : this.idOf(stats)} ${place === null ? '' : `${place.line} ${place.script}`}`;
		if (!this.sums.has(key) && this.sums.size >= LINES_KEPT) key = kind;
		const sum = this.sums.get(key);
		if (sum !== undefined) {
			addEstimate(sum, step.low, step.value, step.high);
			sum.count++;
			sum.times += step.times;
		} else if (key === kind) this.sums.set(key, { ...step, stats: null, place: null, count: 1 });
		else this.sums.set(key, { ...step, count: 1 });
	}

	private idOf(stats: LineStats): number {
		let id = this.ids.get(stats);
		if (id === undefined) {
			id = this.ids.size;
			this.ids.set(stats, id);
		}
		return id;
	}

	/** The first ones, and then the latest in the place of one after the other: any of them may be near the median. */
	private keep(sample: RequestSample): void {
		this.samples[this.count % SAMPLES_KEPT] = sample;
	}
}
