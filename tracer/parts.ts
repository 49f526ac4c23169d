// Makes the parts of the tracer and connects them. Each part owns its fields; this file alone says which part uses
// which.
import { MAIN_OPERATION } from '../src/protocol/journal.ts';
import { Records } from './journal/records.ts';
import type { JournalWriter } from './journal/writer.ts';
import { AsyncIds } from './operations/async-ids.ts';
import { newOperation, type Operation } from './operations/operation.ts';
import { OperationTable } from './operations/operation-table.ts';
import { Sampling } from './operations/sampling.ts';
import { Starts } from './operations/starts.ts';
import { TickQueue } from './operations/tick-queue.ts';
import { JournalClock } from './process/journal-clock.ts';
import { kindOf } from './process/kinds.ts';
import { isMainThread } from './process/this-thread.ts';
import { CallbackStack } from './run/callback-stack.ts';
import type { Governor } from './run/governor.ts';
import { RunClock } from './run/run-clock.ts';
import { TickClock } from './run/tick-clock.ts';
import { Runs } from './runs.ts';
import { Attribution } from './sites/attribution.ts';
import { handlerSite } from './sites/derived-sites.ts';
import { CONTINUED, type Site } from './sites/site.ts';
import { StackReader } from './sites/stack-reader.ts';
import { ClientRequests } from './sources/client-requests.ts';
import { ConnectionQueues } from './sources/connection-queues.ts';
import { ConnectionWaits } from './sources/connection-waits.ts';
import { Exchanges } from './sources/exchanges.ts';
import { Handles } from './sources/handles.ts';
import { NamedWork } from './sources/named-work.ts';
import { PendingChildren } from './sources/pending-child.ts';
import { PoolSize } from './sources/pool-size.ts';
import type { Guard, SourcePort } from './sources/port.ts';
import { QueuedWaits } from './sources/queued-waits.ts';
import { ServedRequests } from './sources/served-requests.ts';
import type { Sampler } from './stacks/load-sampler.ts';
import { Upkeep } from './upkeep.ts';

/**
 * The table keeps up to twice as many, at about 150 bytes each: programs with more connections and timers at once are
 * rare.
 */
const TABLE_ENTRIES = 50_000;

/** What the parts are given. */
interface GivenParts {
	readonly governor: Governor;
	/** @param began hrtime in ns when the journal began */
	openWriter(began: bigint): JournalWriter;
	/** Keeps a failure of ours away from the program; `record` does nothing while the hooks are off. */
	readonly guard: { readonly runSafely: Guard; readonly record: Guard };
	/** Records what computed during a block; null unless sampling was asked for. */
	readonly sampler: Sampler | null;
	/** Whether the program runs already, perhaps right now. */
	readonly isAttached: boolean;
}

export type Parts = ReturnType<typeof makeParts>;

/** Begins the journal. @throws when there can be none */
export function makeParts({ governor, openWriter, guard, sampler, isAttached }: GivenParts) {
	const clock = new JournalClock();
	const writer = openWriter(clock.beganNs);
	const records = new Records(writer);
	const run = new RunClock(!isAttached, sampler?.begin(clock) ?? null);
	const tickClock = new TickClock<Operation>(() => clock.now());
	const table = new OperationTable<Operation>(TABLE_ENTRIES);
	// Some of a Worker's resources, its ports, are older than the tracer too, and so is a forked process' channel.
	const ids = new AsyncIds(!isAttached && isMainThread && !process.send);
	const ticks = new TickQueue();
	const main = newOperation(MAIN_OPERATION, kindOf('MAIN'), CONTINUED, MAIN_OPERATION, 0);
	const stack = new CallbackStack(main);
	// Nothing is captured before all the parts exist.
	const reader = new StackReader((name) => queues.see(name));
	const onHandler = (from: Site) => records.handler(handlerSite(from, true), stack.depth === 0);
	const attribution = new Attribution(main, reader, governor, () => queues.look(), onHandler, stack, run);
	const sampling = new Sampling();
	const starts = new Starts(attribution, sampling);
	const pool = new PoolSize((size, wanted) => records.pool(size, wanted));
	const waits = new ConnectionWaits();
	const shared = { attribution, clock, pool, records, run, sampling, stack, starts, table, waits };
	const port: SourcePort = shared;
	const exchanges = new Exchanges(port);
	const served = new ServedRequests(port);
	const requests = new ClientRequests(port);
	const queuedWaits = new QueuedWaits(port, served);
	const work = new NamedWork(port, guard.runSafely);
	const queues = new ConnectionQueues(queuedWaits, exchanges, work, guard.record);
	const children = new PendingChildren(records);
	const handles = new Handles(port, { children, exchanges, served }, guard.record);
	const runs = new Runs({ ...shared, sampler, served, writer });
	records.start(main);
	if (!isAttached) records.begin(main, 0, 0, 0, 0);
	const parts = {
		...shared,
		children,
		exchanges,
		governor,
		ids,
		queuedWaits,
		queues,
		requests,
		runs,
		sampler,
		served,
		tickClock,
		ticks,
		writer,
	};
	return { ...parts, handles, upkeep: new Upkeep(parts), work };
}
