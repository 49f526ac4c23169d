// The runs of top-level callbacks in the journal: each begins with its callback, and is closed when the next one begins or the loop is woken.
import { BLOCK_US } from '../src/protocol/journal.ts';
import { BEGIN_FLAG } from '../src/protocol/journal-records.ts';
import type { Records } from './journal/records.ts';
import type { JournalWriter } from './journal/writer.ts';
import type { Operation } from './operations/operation.ts';
import type { JournalClock } from './process/journal-clock.ts';
import type { RunClock } from './run/run-clock.ts';
import type { Attribution } from './sites/attribution.ts';
import type { ServedRequests } from './sources/served-requests.ts';
import type { Sampler } from './stacks/load-sampler.ts';

/** What a run is made of. */
interface RunParts {
	readonly attribution: Readonly<Attribution<Operation>>;
	readonly clock: JournalClock;
	readonly records: Records;
	readonly run: RunClock;
	/** Records what computed during a block; null unless sampling was asked for. */
	readonly sampler: Sampler | null;
	readonly served: ServedRequests;
	readonly writer: JournalWriter;
}

/** Times are µs since the journal began. */
export class Runs {
	private readonly parts: RunParts;

	constructor(parts: RunParts) {
		this.parts = parts;
	}

	/**
	 * A top-level callback begins.
	 * @param isSame whether it is of the same resource as the latest one, with no other between
	 */
	begin(operation: Operation, at: number, isSame: boolean): void {
		const { attribution, clock, records, run, sampler, served } = this.parts;
		run.readIdle(at);
		if (isSame && served.mayGoOn && !run.hasSlept) return;
		this.end(at);
		// Writing down what computed in a block takes about a millisecond, which belongs to no callback.
		const now = sampler === null ? at : clock.now();
		run.begin(now, operation.kind.isServer || clock.isStill);
		const flags = run.flags | (served.wasUnread(operation) ? BEGIN_FLAG.wasUnread : 0);
		records.begin(operation, now, flags, run.idleUs, run.cpuWaitUs);
		attribution.beginRun();
	}

	/** Closes the run that is open, if one is. @param blocked see `RunClock.readIdle` */
	close(now: number, blocked?: number): void {
		this.parts.run.readIdle(now, blocked);
		this.end(now);
	}

	private end(now: number): void {
		const { attribution, clock, records, run, sampler, served, writer } = this.parts;
		if (!run.isOpen) return;
		run.closeRun();
		served.endRun();
		if (records.isRunUnwritten && run.isShort(now)) {
			records.skipRun();
			return;
		}
		const { began, drainBegan } = run;
		const drain = run.drain(now);
		records.end(drainBegan, drain, attribution.hint);
		const ended = drainBegan + drain;
		if (ended - began >= BLOCK_US) sampler?.addBlock(writer, clock.beganNs, began, ended);
	}

	/**
	 * Only what a line scheduled needs the clock: Node's own ticks continue the running operation and are shown on its
	 * line.
	 */
	isTimed({ kind, site }: Operation): boolean {
		return kind.role === 'carrier' && site.user !== null && this.parts.run.isOpen;
	}

	/**
	 * A tick or microtask is over.
	 * @param duration how long it blocked the loop, in µs
	 * @param ended when it was over; until it is written down, the thread may have lost its CPU
	 */
	writeBlock(carrier: Operation, duration: number, ended: number): void {
		if (duration < BLOCK_US || !this.isTimed(carrier)) return;
		const { attribution, records } = this.parts;
		attribution.needOrigin();
		records.tickBlock(ended - duration, duration, carrier.site);
	}
}
