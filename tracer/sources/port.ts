// What sources of operations may use of the other parts: finding where something starts, keeping its operation, and
// writing records of what they saw.
import type { Operation } from '../operations/operation.ts';
import type { OperationTable } from '../operations/operation-table.ts';
import type { Sampling } from '../operations/sampling.ts';
import type { Starts } from '../operations/starts.ts';
import type { Attribution } from '../sites/attribution.ts';
import type { ConnectionWaits } from './connection-waits.ts';
import type { PoolSize } from './pool-size.ts';

export interface SourcePort {
	readonly attribution: SourceAttribution;
	readonly starts: Pick<Starts, 'newOwnId' | 'make' | 'leaveOut'>;
	readonly sampling: Readonly<Pick<Sampling, 'every' | 'leaveOut' | 'count'>>;
	readonly table: Pick<OperationTable<Operation>, 'get' | 'set' | 'delete'>;
	/** The sources' own. */
	readonly waits: ConnectionWaits;
	readonly pool: Pick<PoolSize, 'use'>;
	readonly records: RecordSink;
	/** µs since the journal began. */
	readonly clock: { now(): number };
	/** When the running top-level callback began, in µs since the journal began. */
	readonly run: { readonly began: number };
	/** The callbacks that run within each other, and when the innermost began, in µs since the journal began. */
	readonly stack: { readonly depth: number; readonly topBegan: number; readonly isInTick: boolean };
}

/** Where something starts, what runs now, and what of it only a source knows. */
type SourceAttribution = Readonly<
	Pick<
		Attribution<Operation>,
		| 'capture'
		| 'current'
		| 'endHandlerSearch'
		| 'enter'
		| 'followAnswer'
		| 'followRoute'
		| 'hint'
		| 'hintAtFunction'
		| 'isStep'
		| 'locate'
		| 'needOrigin'
		| 'noteWait'
		| 'reader'
		| 'resumed'
		| 'seekHandler'
		| 'shown'
	>
>;

/** Keeps a failure of ours away from the program. */
export type Guard = (step: () => void) => void;

/** The records that sources write (tracer/journal/records.ts). */
interface RecordSink {
	start(operation: Operation): void;
	attribute(operation: Operation): void;
	nested(operation: Operation, began: number, duration: number): void;
	over(operation: Operation, time: number): void;
}
