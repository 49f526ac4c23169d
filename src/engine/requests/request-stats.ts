// What the requests of one route have taken, added up: memory grows with routes and the lines that they wait for, not with requests.
import { addEstimate, type Estimate, noTime } from '../common/estimate.ts';
import { isSameLine } from '../common/place.ts';
import { WallTime } from '../common/wall-time.ts';
import { type LineStats, PartStats } from '../lines/line-stats.ts';
import { addedUp, type OpenRequest, type PathStep, type StepKind } from '../operations/request-path.ts';

/** Lines distinguished per route; further ones count as one. */
const LINES_KEPT = 128;
const KINDS: readonly StepKind[] = ['run', 'wait', 'blocked', 'unknown'];
/** Requests kept one by one per route: one of them is near the median. */
const SAMPLES_KEPT = 32;

/** One finished request; times in µs. */
export interface RequestSample {
	/** Since the journal began. */
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
	/** Requests whose connection or stream was closed before their response was finished. */
	closedEarly = 0;
	readonly duration = new PartStats();
	readonly parts: Record<StepKind, PartStats> = {
		run: new PartStats(),
		wait: new PartStats(),
		blocked: new PartStats(),
		unknown: new PartStats(),
	};
	wall = new WallTime();
	samples: RequestSample[] = [];
	/** In the order in which they came. */
	private sums: StepSum[] = [];
	/** The same by the line of the operation. */
	private readonly byLine = new Map<LineStats | null, StepSum[]>();
	/** What further lines have taken, by its kind. */
	private readonly others = new Map<StepKind, StepSum>();

	constructor(stats: LineStats) {
		this.stats = stats;
	}

	/** The figures of a stretch of time begin: forgets those of what was before. */
	beginPart(): void {
		this.count = this.closedEarly = 0;
		for (const part of [this.duration, ...Object.values(this.parts)]) part.reset();
		this.wall = new WallTime();
		this.samples = [];
		this.sums = [];
		this.byLine.clear();
		this.others.clear();
	}

	/** A response is finished. @param steps on the way of its request, in their order */
	add({ arrived }: OpenRequest, finished: number, steps: readonly PathStep[]): void {
		const at = arrived.value;
		const duration = { low: finished - arrived.high, value: finished - at, high: finished - arrived.low };
		this.duration.add(duration);
		this.wall.add(at, finished);
		for (const kind of KINDS) this.parts[kind].add(totalOf(kind, steps));
		const sums = addedUp(steps);
		for (const step of sums) this.addStep(step);
		this.keep({ arrived: at, duration, steps: steps.length <= SAMPLES_KEPT * 4 ? steps : sums });
		this.count++;
	}

	/** By kind and line. */
	get steps(): readonly StepSum[] {
		return this.sums;
	}

	/** The kept request whose duration is nearest to that one, in µs; null when none has finished. */
	nearest(us: number): RequestSample | null {
		const distance = ({ duration }: RequestSample) => Math.abs(duration.value - us);
		return this.samples.reduce<RequestSample | null>(
			(best, sample) => (best === null || distance(sample) < distance(best) ? sample : best),
			null,
		);
	}

	private addStep(step: PathStep): void {
		let own = this.byLine.get(step.stats);
		if (own === undefined) {
			own = [];
			this.byLine.set(step.stats, own);
		}
		let sum = own.find((each) => each.kind === step.kind && isSameLine(each.place, step.place));
		const hasRoom = this.sums.length < LINES_KEPT;
		if (sum === undefined && !hasRoom) sum = this.others.get(step.kind);
		if (sum !== undefined) {
			addEstimate(sum, step.low, step.value, step.high);
			sum.count++;
			sum.times += step.times;
			return;
		}
		sum = hasRoom ? { ...step, count: 1 } : { ...step, stats: null, place: null, count: 1 };
		this.sums.push(sum);
		if (hasRoom) own.push(sum);
		else this.others.set(step.kind, sum);
	}

	/** The first ones, and then the latest in the place of one after the other: any of them may be near the median. */
	private keep(sample: RequestSample): void {
		this.samples[this.count % SAMPLES_KEPT] = sample;
	}
}

function totalOf(kind: StepKind, steps: readonly PathStep[]): Estimate {
	const total = noTime();
	for (let i = 0; i < steps.length; i++) {
		const step = steps[i]!;
		if (step.kind === kind) addEstimate(total, step.low, step.value, step.high);
	}
	return total;
}
