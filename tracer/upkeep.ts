// Keeps the journal going beside the hooks: flushes it, wakes the loop for it, repairs and ends it, and records what
// happens to the thread as a whole.
import type { Records } from './journal/records.ts';
import type { JournalWriter } from './journal/writer.ts';
import type { AsyncIds } from './operations/async-ids.ts';
import type { Operation } from './operations/operation.ts';
import type { OperationTable } from './operations/operation-table.ts';
import type { Sampling } from './operations/sampling.ts';
import type { TickQueue } from './operations/tick-queue.ts';
import type { JournalClock } from './process/journal-clock.ts';
import type { CallbackStack } from './run/callback-stack.ts';
import { FlushPacing } from './run/flush-pacing.ts';
import type { Governor } from './run/governor.ts';
import type { RunClock } from './run/run-clock.ts';
import type { TickClock } from './run/tick-clock.ts';
import type { Runs } from './runs.ts';
import type { Attribution } from './sites/attribution.ts';
import type { ClientRequests } from './sources/client-requests.ts';
import type { ConnectionQueues } from './sources/connection-queues.ts';
import type { Exchanges } from './sources/exchanges.ts';
import type { PendingChildren } from './sources/pending-child.ts';
import type { PoolSize } from './sources/pool-size.ts';
import type { QueuedWaits } from './sources/queued-waits.ts';
import { HTTP2_SERVED, type ServedRequests } from './sources/served-requests.ts';
import type { Sampler } from './stacks/load-sampler.ts';

/** The parts that this keeps going. */
interface UpkeepParts {
	readonly attribution: Readonly<Attribution<Operation>>;
	readonly children: PendingChildren;
	readonly clock: JournalClock;
	readonly exchanges: Exchanges;
	readonly governor: Governor;
	readonly ids: AsyncIds;
	readonly pool: PoolSize;
	readonly queues: ConnectionQueues;
	readonly queuedWaits: QueuedWaits;
	readonly records: Records;
	readonly requests: ClientRequests;
	readonly run: RunClock;
	readonly runs: Runs;
	readonly sampler: Sampler | null;
	readonly sampling: Sampling;
	readonly served: ServedRequests;
	readonly stack: CallbackStack;
	readonly table: OperationTable<Operation>;
	readonly tickClock: TickClock<Operation>;
	readonly ticks: TickQueue;
	readonly writer: JournalWriter;
}

export class Upkeep {
	private readonly parts: UpkeepParts;
	private readonly pacing: FlushPacing;
	/** Whether nothing is recorded for a while. */
	isResting = false;

	constructor(parts: UpkeepParts) {
		this.parts = parts;
		this.pacing = new FlushPacing(parts.run.idleMs);
	}

	/** µs since the journal began. */
	now(): number {
		return this.parts.clock.now();
	}

	/** Whether the clock stands still. */
	get isStill(): boolean {
		return this.parts.clock.isStill;
	}

	/** How long after `now` the loop is to be woken, in µs. */
	get pause(): number {
		return this.pacing.pauseAt(this.now());
	}

	/** Whether a callback began since the last `wake`. */
	get hasRun(): boolean {
		return this.parts.run.hasRun;
	}

	/** How long the callback that has just ended took, in µs. */
	get ran(): number {
		return this.parts.run.ran;
	}

	/** Whether recording has stopped, by itself or because it was stopped. */
	get stopped(): boolean {
		return this.parts.writer.stopped !== null;
	}

	/** A top-level callback is over: writes the buffered records when that is due. @param canWait whether its run may go on */
	flushIfDue(now: number, canWait: boolean): void {
		if ((!canWait && this.pacing.isDue(now)) || this.parts.writer.halfFull) this.flushInRun(now);
	}

	/**
	 * Writes the buffered records once the loop rests: called after each `pause`, without a callback of the program on
	 * the stack.
	 * @param delay by how much the loop came too late for it, in µs
	 * @returns whether a callback ran since the last time
	 */
	wake(delay: number): boolean {
		const { run, runs, stack } = this.parts;
		if (stack.depth > 0) return false;
		const now = this.now();
		const hasRun = run.takeHasRun();
		// What is done here does not belong to the program's run.
		runs.close(now, delay);
		run.keepIdle();
		if (this.isStill || (hasRun && !this.pacing.isDueAfterPause(now))) return hasRun;
		run.keepCpuWait();
		this.flush(now);
		return hasRun;
	}

	/** A garbage collection stopped the thread; times in ms, of performance.now(). */
	garbage({ startTime, duration }: { startTime: number; duration: number }): void {
		const { clock, records } = this.parts;
		records.garbage(clock.at(startTime), duration * 1000);
	}

	/** Something that was ready had to wait for the loop: one sample of its delay; `standsFor` is the time it represents. Both in µs. */
	loopDelay(delay: number, standsFor: number): void {
		const { records } = this.parts;
		records.loopDelay(delay, standsFor);
	}

	/** Nothing is recorded from now on: forgets whatever would be wrong afterwards. Call it right after `wake`. */
	rest(): void {
		const { ids, queuedWaits, records, served, table, ticks } = this.parts;
		const now = this.now();
		ticks.clear();
		queuedWaits.rest();
		served.rest();
		table.each((operation) => {
			// What has the pool, or was answered, is unknown afterwards.
			if (operation.kind.isPooled || operation.kind === HTTP2_SERVED) table.delete(operation.id);
			operation.underWay = null;
			operation.peer?.rest();
		});
		this.isResting = true;
		records.rest(now, false, 0, ids.takeCount());
		this.flush(now);
	}

	/** Everything is recorded again. @param id the latest async id that Node has given; 0 where that is unknown */
	goOn(id: number): void {
		const { governor, ids, records, run } = this.parts;
		ids.goOn(id);
		const now = this.now();
		run.readIdle(now);
		this.isResting = false;
		records.rest(now, true, run.takeIdle(), ids.takeCount());
		governor.goOn(now);
	}

	/** Writes the last records: the thread ends. */
	exit(): void {
		const { children, exchanges, pool, queuedWaits, records, requests, run, runs, sampler, table, writer } = this.parts;
		if (this.isResting) this.goOn(0);
		const now = this.now();
		children.look();
		runs.close(now);
		sampler?.end();
		pool.look();
		queuedWaits.endEmptied();
		requests.lookAtUnfinished(now, true);
		if (exchanges.hasPeers) table.each(({ peer }) => peer && exchanges.dropUnread(peer, now));
		this.writeUnrecorded();
		writer.flush(now);
		records.exit(now, run.idleInAll);
		writer.end();
		run.close();
		sampler?.close();
	}

	/**
	 * Continues after V8 ended a call of ours in the middle: drops the record written last, and writes all tables
	 * again.
	 */
	mend(): void {
		const { pool, writer } = this.parts;
		writer.mend(this.now());
		pool.restate();
	}

	/**
	 * This call interrupts another one, which must find everything as it left it: the records that this call would have
	 * written are only counted.
	 */
	drop(): void {
		const { attribution, writer } = this.parts;
		attribution.captureAgain();
		writer.drop();
	}

	/** Stops for good: `reason` is the last record. @param isBroken whether the one before may be half written */
	stop(reason: string, isBroken: boolean): void {
		const { queues, run, sampler, table, ticks, writer } = this.parts;
		queues.stop();
		run.close();
		sampler?.stop();
		writer.stop(reason, isBroken);
		table.clear();
		ticks.clear();
	}

	private flushInRun(now: number): void {
		this.flush(now);
		this.parts.run.endFlush(this.now());
	}

	private flush(now: number): void {
		const { governor, pool, queuedWaits, requests, run, sampler, writer } = this.parts;
		const { generation } = writer;
		sampler?.look();
		this.pacing.flush(now, run.idleMs);
		queuedWaits.endEmptied();
		requests.lookAtUnfinished(now);
		this.writeUnrecorded();
		if (governor.judge(now)) this.changeStage(now);
		const began = governor.beginRare();
		writer.flush(now);
		governor.endRare(began);
		if (writer.generation !== generation) pool.restate();
	}

	/** The governor has changed how much the tracer may spend. */
	private changeStage(now: number): void {
		const { attribution, governor, ids, records, sampling, tickClock } = this.parts;
		const { stage, every, cost, rarer, timesTicks } = governor;
		ids.takeCount();
		attribution.verifyRarer(rarer);
		tickClock.turn(timesTicks);
		sampling.recordOneIn(every);
		records.stage(now, stage, every, cost);
	}

	/** Counts of operations that have called back unrecorded. */
	private writeUnrecorded(): void {
		const { records, sampling } = this.parts;
		const counted = sampling.take();
		for (let at = 0; at < counted.length; at++) {
			const entry = counted[at]!;
			records.unrecorded(entry);
			entry.count = 0;
		}
	}
}
