// The figures of one line, the sum over its operations: a distribution and a basis per part of the time.
import type { AtLeast, Basis, Bin, Durations, OperationClass, Split } from '../../protocol/report.ts';
import { Distribution } from '../common/distribution.ts';
import { addEstimate, type Estimate, noTime, reset, WaitEstimates } from '../common/estimate.ts';
import { histogram } from '../common/histogram.ts';
import type { Place } from '../common/place.ts';
import type { LineSums } from '../common/time-bins.ts';
import { Callers, type MAIN } from './callers.ts';
import type { HandlerCall, HandlerCalls } from './handler-calls.ts';
import { OperationSample } from './operation-sample.ts';
import type { SharedLine } from './shared-line.ts';
import { UnderWay } from './under-way.ts';
import { type WaitParts, waitPartsOf } from './wait-parts.ts';

/** A figure this close to the truth, in µs, counts as measured: waking a thread takes about as long. */
export const MEASURED_US = 200;

interface LimitDistributions {
	readonly low: Distribution;
	readonly high: Distribution;
}

/** One part of the time, over a line's operations. */
export class PartStats {
	private values = new Distribution();
	/** Lower and upper limits of the values, once one of them is only known within limits. */
	private limits: LimitDistributions | null = null;
	/** Limits that were cleared, whose room the next ones may take. */
	private unused: LimitDistributions | null = null;
	private uncertaintyUs = 0;
	/** Operations whose figure is unknown. */
	private unknown = 0;
	/** Whether it rests on an assumption, so that it is not measured. */
	isAssumed = false;
	/**
	 * The estimated total of the unrecorded operations, and the number of those that no recorded operation represents
	 * yet.
	 */
	private estimatedUs = 0;
	private unrecorded = 0;
	/** The recorded operations when that was last estimated. */
	private estimatedAt = { count: 0, total: 0 };

	/** Adds one operation's figure. */
	add({ low, value, high }: Readonly<Estimate>): void {
		const uncertainty = Math.max(value - low, high - value);
		if (uncertainty <= MEASURED_US && this.limits === null) {
			this.values.add(value);
			return;
		}
		const limits = this.withLimits();
		this.values.add(value);
		limits.low.add(low);
		limits.high.add(high);
		this.uncertaintyUs = Math.max(this.uncertaintyUs, uncertainty);
	}

	/** Adds a figure that is known exactly, in µs. */
	addExactly(us: number): void {
		this.values.add(us);
		this.limits?.low.add(us);
		this.limits?.high.add(us);
	}

	/** The limits; until now every value was its own limit. */
	private withLimits(): LimitDistributions {
		if (this.limits !== null) return this.limits;
		this.limits = this.unused ?? { low: new Distribution(), high: new Distribution() };
		this.unused = null;
		this.limits.low.addAll(this.values);
		this.limits.high.addAll(this.values);
		return this.limits;
	}

	/** Counts an operation whose figure is unknown. */
	addUnknown(): void {
		this.unknown++;
	}

	/** Some operation's figure may be off by `us`. */
	widen(us: number): void {
		this.uncertaintyUs = Math.max(this.uncertaintyUs, us);
	}

	/** `count` operations were not recorded: the recorded ones of the same time represent them. */
	addUnrecorded(count: number): void {
		this.unrecorded += count;
		const { values, estimatedAt } = this;
		const recorded = values.count - estimatedAt.count;
		if (recorded === 0) return;
		this.estimatedUs += (this.unrecorded * (values.total - estimatedAt.total)) / recorded;
		this.unrecorded = 0;
		this.estimatedAt = { count: values.count, total: values.total };
	}

	addAll(other: PartStats): void {
		if (other.isEmpty) return;
		this.estimatedUs += other.estimatedUs;
		this.unrecorded += other.unrecorded;
		if (this.limits !== null || other.limits !== null) {
			const { low, high } = this.withLimits();
			low.addAll(other.limits?.low ?? other.values);
			high.addAll(other.limits?.high ?? other.values);
		}
		this.values.addAll(other.values);
		this.uncertaintyUs = Math.max(this.uncertaintyUs, other.uncertaintyUs);
		this.unknown += other.unknown;
		this.isAssumed ||= other.isAssumed;
	}

	/** Whether nothing was added: the class of its line does not have this part, or no operation has called back. */
	private get isEmpty(): boolean {
		return (
			this.values.count === 0 &&
			this.unrecorded === 0 &&
			this.uncertaintyUs === 0 &&
			this.unknown === 0 &&
			!this.isAssumed
		);
	}

	/** Forgets everything, but not how much room it took. */
	reset(): void {
		this.values.clear();
		this.unused = this.limits ?? this.unused;
		this.unused?.low.clear();
		this.unused?.high.clear();
		this.limits = null;
		this.uncertaintyUs = this.estimatedUs = this.unrecorded = this.unknown = 0;
		this.isAssumed = false;
		this.estimatedAt = { count: 0, total: 0 };
	}

	/** Forgets the values: they are counted elsewhere. */
	clear(): void {
		this.values = new Distribution();
		this.limits = this.unused = null;
	}

	/**
	 * The part as the report shows it, in ms; null when no operation has it.
	 * @param most what the recorded operations can have taken in all, in µs: each may have taken as long as its upper limit, but not all of them
	 */
	split(most = Infinity): Split | null {
		const { values, limits, uncertaintyUs } = this;
		if (values.count === 0 && this.unknown === 0) return null;
		const basis = this.basis();
		return {
			...this.durationsOf(values, most),
			range:
				limits === null || basis !== 'estimated'
					? null
					: { low: this.durationsOf(limits.low, most), high: this.durationsOf(limits.high, most) },
			basis,
			uncertaintyMs: uncertaintyUs <= MEASURED_US ? 0 : ms(uncertaintyUs),
			atLeast: basis === 'unknown' ? this.atLeast() : null,
		};
	}

	/** Operations that were not recorded do not count, though others represent them. */
	private atLeast(): AtLeast {
		const { unknown } = this;
		const isSampled = this.unrecorded + this.estimatedUs > 0;
		const low = this.limits?.low ?? this.values;
		const { total, max, count } = low;
		// Those of which it is unknown may be the shortest, and so may those that were not recorded.
		const shareOf = (share: number) => (isSampled ? 0 : (share * (count + unknown) - unknown) / count);
		const shares = [shareOf(0.5), shareOf(0.95)].map((share) => (share > 0 ? share : 0));
		const [p50, p95] = low.percentiles(shares).map((us, at) => (shares[at]! > 0 ? ms(us) : 0)) as [number, number];
		return { totalMs: ms(total), p50Ms: p50, p95Ms: p95, maxMs: ms(max), unknown };
	}

	/** The totals and percentiles of these values of the recorded operations, with the unrecorded ones added. @param most of the recorded ones' total, in µs */
	private durationsOf(values: Distribution, most: number): Durations {
		const [p50, p95] = values.percentiles([0.5, 0.95]) as [number, number];
		const scale = this.values.total === 0 ? 1 : values.total / this.values.total;
		return {
			totalMs: ms(Math.min(values.total, most) + this.unrecordedUs() * scale),
			p50Ms: ms(p50),
			p95Ms: ms(p95),
			maxMs: ms(values.max),
		};
	}

	/** The histogram of the values. */
	bins(): Bin[] {
		return histogram(this.values);
	}

	/** How many values there are. */
	get recorded(): number {
		return this.values.count;
	}

	/** The limits of the values at both shares, in ms: the lower limit of the first and the upper limit of the second. */
	between(from: number, to: number): { low: number; high: number } {
		const { low, high } = this.limits ?? { low: this.values, high: this.values };
		return { low: ms(low.percentile(from)), high: ms(high.percentile(to)) };
	}

	/** µs. */
	get median(): number {
		return this.values.percentile(0.5);
	}

	/** The estimated total of the unrecorded operations. */
	private unrecordedUs(): number {
		const { count, total } = this.values;
		return this.estimatedUs + (count === 0 ? 0 : (this.unrecorded * total) / count);
	}

	private basis(): Basis {
		if (this.unknown > 0) return 'unknown';
		if (this.isAssumed || this.estimatedUs > 0 || this.unrecorded > 0) return 'estimated';
		return this.uncertaintyUs <= MEASURED_US ? 'measured' : 'estimated';
	}
}

/** The most lines of libraries kept per line. */
const LIBRARIES_KEPT = 5;

/** Who may start a line's operations. */
export type Starter = LineStats | typeof MAIN;

/** All operations of one (position, op, class). */
export class LineStats {
	private readonly ownPlace: Place;
	/** Of a request's handler: what it did for each request, and for these. */
	private calls: HandlerCalls | null = null;
	private call: HandlerCall | null = null;
	readonly op: string;
	readonly class: OperationClass;
	readonly parts: WaitParts;
	/** Changes whenever something changes that the report shows. */
	changes = 0;
	/** All operations that finished, including unrecorded ones. */
	count = 0;
	readonly own = new UnderWay();
	/** What it has under way together with other positions of its line; null where it is the only one. */
	shared: SharedLine | null = null;
	/** Whether `count` has operations in it of which nothing was recorded, not even that they called back. */
	isCountEstimated = false;
	/** `count` when the stretch began that is recorded now. */
	private countBefore = 0;
	/** One in `sampledOf` operations was recorded when that was rarest. */
	sampledOf = 1;
	/** Operations whose callback ran while a debugger collected asynchronous call stacks. */
	asyncStackRuns = 0;
	readonly wait = new PartStats();
	readonly queue = new PartStats();
	readonly execute = new PartStats();
	readonly lag = new PartStats();
	readonly run = new PartStats();
	/** See WaitEstimates. */
	private readonly beyondExecute = noTime();
	sample = new OperationSample();
	callers = new Callers<LineStats>();
	/** What was under way before that time does not count for the wall time, in µs of the thread. */
	since = -Infinity;
	/** Its sums over time, kept by the session's timeline; null where there are none. */
	lane: LineSums | null = null;
	/** The parts of an operation's wait that is over, for the next one: most have them only while their callback runs. */
	private spare: WaitEstimates | null = null;
	/** Lines of libraries that called Node for this one, in the order in which they were first seen. */
	readonly libraries: Place[] = [];

	constructor(place: Place, op: string, operationClass: OperationClass) {
		this.ownPlace = place;
		this.op = op;
		this.class = operationClass;
		this.parts = waitPartsOf(operationClass);
	}

	get place(): Place {
		const { call, calls } = this;
		const by = calls?.shownBy(call!) ?? null;
		return (by === null ? null : call![by]) ?? this.ownPlace;
	}

	/** These are the requests for which their handler made that call. */
	distinguishBy(calls: HandlerCalls, call: HandlerCall): void {
		this.calls = calls;
		this.call = { ...call, at: { ...call.at, handler: this.ownPlace } };
	}

	/** The figures of a stretch of time begin: forgets those of what was before. @param at µs of the thread */
	beginPart(at: number): void {
		this.changes++;
		this.count = this.countBefore = this.asyncStackRuns = 0;
		this.isCountEstimated = false;
		this.sampledOf = 1;
		for (const part of [this.wait, this.queue, this.execute, this.lag, this.run]) part.reset();
		reset(this.beyondExecute);
		this.own.beginPart();
		this.shared?.underWay.beginPart();
		this.sample = new OperationSample();
		this.callers = new Callers<LineStats>();
		this.since = at;
	}

	/** An operation begins. */
	begin(): void {
		const isMost = this.own.begin();
		if (this.shared?.underWay.begin() || isMost) this.changes++;
	}

	/** The operation that has begun last has not begun yet. */
	withdraw(): void {
		this.own.withdraw();
		this.shared?.underWay.withdraw();
	}

	/** An operation that had begun is over. */
	end(): void {
		this.own.end();
		this.shared?.underWay.end();
	}

	/** How many that arrived from outside waited at one time. */
	sawAtOnce(count: number): void {
		this.own.saw(count);
		this.shared?.underWay.saw(count);
	}

	/** A wait is over, in µs of the thread. @param started when its operation was started */
	addToWall(from: number, to: number, started: number): void {
		this.own.wall.add(from, to, started);
		this.shared?.underWay.wall.add(from, to, started);
	}

	/** For the parts of an operation's wait, which is over. Give them back. */
	takeEstimates(): WaitEstimates {
		const { spare } = this;
		this.spare = null;
		return spare ?? new WaitEstimates();
	}

	giveBack(estimates: WaitEstimates): void {
		estimates.reset();
		this.spare = estimates;
	}

	/** What has just been counted stands for `every` operations, of which nothing counts the others. */
	represent(every: number): void {
		if (every <= 1) return;
		this.isCountEstimated = true;
		this.addUnrecorded(every - 1, every);
	}

	/** Operations that finished, of which nothing else is known. */
	addUnrecorded(count: number, every: number): void {
		this.changes++;
		this.count += count;
		this.sampledOf = Math.max(this.sampledOf, every);
		for (const part of [this.wait, this.queue, this.execute, this.lag, this.run]) part.addUnrecorded(count);
	}

	/** An operation finished of which only the run is known. */
	addWithoutWait(): void {
		this.changes++;
		this.count++;
		for (const part of [this.wait, this.lag]) part.addUnrecorded(1);
	}

	/** A stretch begins in which everything is recorded. */
	beginStretch(): void {
		this.countBefore = this.count;
	}

	/**
	 * The stretch was followed by a rest, in which the line is assumed to have gone on as before.
	 * @param factor the rest's duration as a multiple of the stretch's
	 * @param until when the rest ended, in µs of the thread
	 */
	extrapolate(factor: number, until: number): void {
		const missing = Math.round((this.count - this.countBefore) * factor);
		// What it did in the rest is not known either where it did nothing in the stretch.
		if (this.count > 0 && !this.isCountEstimated) {
			this.isCountEstimated = true;
			this.changes++;
		}
		if (missing > 0) {
			this.addUnrecorded(missing, Math.round(factor) + 1);
			this.own.wall.extend(until);
			this.shared?.underWay.wall.extend(until);
		}
		this.beginStretch();
	}

	/** `count` operations were started from there. */
	addCaller(starter: Starter, count = 1): void {
		this.callers.add(starter, count);
		this.changes++;
	}

	addLibrary(place: Place): void {
		if (this.libraries.length === LIBRARIES_KEPT) return;
		const isKnown = this.libraries.some(({ script, line }) => script === place.script && line === place.line);
		if (isKnown) return;
		this.libraries.push(place);
		this.changes++;
	}

	/** The split of some operation assumes that an add-on's work is jobs of the pool. */
	assumeAddonJobs(): void {
		for (const part of [this.queue, this.execute, this.lag]) part.isAssumed = true;
	}

	/** Whether the split of any operation assumes that. */
	get assumesAddonJobs(): boolean {
		return this.queue.isAssumed;
	}

	/** The split of some operation that waited for `wait`, in µs, is no longer known. */
	doubtSplit(wait: number): void {
		this.changes++;
		this.queue.widen(wait);
		this.execute.widen(wait);
	}

	/** By how much the steps of an operation had threads for longer than it executed. */
	addBeyondExecute({ low, value, high }: Readonly<Estimate>): void {
		addEstimate(this.beyondExecute, low, value, high);
	}

	/**
	 * How long its operations had threads, added up over their steps, in ms; null where that is as long as they executed, or not known.
	 * @param most for how long they can have had them, in µs
	 */
	threadTimeMs(most: number): { low: number; high: number } | null {
		const { beyondExecute } = this;
		const execute = this.execute.split(most);
		if (beyondExecute.high === 0 || execute === null || execute.basis === 'unknown') return null;
		const { low, high } = execute.range ?? { low: execute, high: execute };
		const limit = (ofExecute: number, beyond: number) => Math.min(ofExecute + ms(beyond), ms(most));
		return { low: limit(low.totalMs, beyondExecute.low), high: limit(high.totalMs, beyondExecute.high) };
	}

	/** Forgets the figures, which are counted elsewhere: others may still ask which line this is. */
	clear(): void {
		for (const part of [this.wait, this.queue, this.execute, this.lag, this.run]) part.clear();
		reset(this.beyondExecute);
	}

	/** Forgets what `addAll` and `addFigures` have added, but not how much room it took. */
	emptySum(): void {
		this.count = this.asyncStackRuns = 0;
		this.sampledOf = 1;
		this.isCountEstimated = false;
		for (const part of [this.wait, this.queue, this.execute, this.lag, this.run]) part.reset();
		reset(this.beyondExecute);
		this.own.empty();
	}

	/**
	 * Adds the figures of another line; single operations stay with their own line.
	 * @param offset from the other thread's clock to this one's, in µs
	 */
	addAll(other: LineStats, offset = 0): void {
		this.addFigures(other);
		this.own.wall.addAll(other.own.wall, offset);
	}

	/** The same without the wall time, in which the order of the lines counts. */
	addFigures(other: LineStats): void {
		this.changes++;
		this.count += other.count;
		// For threads that run at the same time this is a lower bound.
		this.own.saw(other.own.most);
		this.sampledOf = Math.max(this.sampledOf, other.sampledOf);
		this.isCountEstimated ||= other.isCountEstimated;
		this.asyncStackRuns += other.asyncStackRuns;
		this.wait.addAll(other.wait);
		this.queue.addAll(other.queue);
		this.execute.addAll(other.execute);
		this.addBeyondExecute(other.beyondExecute);
		this.lag.addAll(other.lag);
		this.run.addAll(other.run);
	}
}

function ms(us: number): number {
	return us / 1000;
}
