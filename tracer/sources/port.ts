// The parts that sources of operations may use: attribution, which finds where something starts, and the records in
// which sources write what they saw.
import type { Operation } from '../operations/operation.ts';
import type { OperationTable } from '../operations/operation-table.ts';
import type { Sampling } from '../operations/sampling.ts';
import type { Starts } from '../operations/starts.ts';
import type { Attribution } from '../sites/attribution.ts';
import type { ConnectionWaits } from './connection-waits.ts';
import type { PoolSize } from './pool-size.ts';

export interface SourcePort {
	readonly attribution: Attribution<Operation>;
	readonly starts: Starts;
	readonly sampling: Sampling;
	readonly table: OperationTable<Operation>;
	readonly waits: ConnectionWaits;
	readonly pool: PoolSize;
	readonly records: RecordSink;
	/** µs since the journal began. */
	readonly clock: { now(): number };
	/** When the running top-level callback began, in µs since the journal began. */
	readonly run: { readonly began: number };
	/** The callbacks that run within each other, and when the innermost began, in µs since the journal began. */
	readonly stack: { readonly depth: number; readonly topBegan: number; readonly isInTick: boolean };
}

/** Keeps a failure of ours away from the program. */
export type Guard = (step: () => void) => void;

/** The records that sources write (tracer/journal/records.ts). */
interface RecordSink {
	start(operation: Operation): void;
	attribute(operation: Operation): void;
	nested(operation: Operation, began: number, duration: number): void;
	over(operation: Operation, time: number): void;
}
