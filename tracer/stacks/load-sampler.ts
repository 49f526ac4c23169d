// Loads the sampler (tracer/stacks/sampler.ts), which records what computed while a thread was blocked, if the host has
// asked for that. It is a file of its own: V8's profiler takes memory and a part of every ten milliseconds, and only
// those who ask for it should pay that.
import type { JournalWriter } from '../journal/writer.ts';
import type { OtherHooks } from '../process/other-hooks.ts';
import type { LostIdle } from './lost-idle.ts';

/** The journal's clock. */
export interface Clock {
	/** Whether it stands still, because a debugger is about to stop the thread. */
	readonly isStill: boolean;
	/** µs since the journal began. */
	now(): number;
}

/** Records what computed in blocks. Its functions never throw. */
export interface Sampler {
	/**
	 * Has what computed in a block that is over written down.
	 * @param from and `to`, in µs since the journal began
	 * @param journalBegan ns of hrtime
	 */
	addBlock(writer: JournalWriter, journalBegan: bigint, from: number, to: number): void;
	/** The journal begins, with that clock. @returns what corrects Node's idle time from now on */
	begin(clock: Clock): LostIdle;
	/** The program is about to listen to a signal through that native handle. */
	watchSignal(handle: object): void;
	/** Writes the samples that the host has asked for since. */
	look(): void;
	/** The thread ends: writes the samples of its last blocks. */
	end(): void;
	/** Stops sampling. */
	stop(): void;
	/** The thread ends. */
	close(): void;
}

interface SamplerFile {
	start(tracer: string, otherHooks: OtherHooks): Sampler;
}

/**
 * Null unless sampling was asked for and V8's profiler can be used: the report then names the wait before a block and
 * says so.
 */
export function loadSampler(otherHooks: OtherHooks): Sampler | null {
	try {
		const file = process.env.WAITLINE_SAMPLER;
		return file ? (require(file) as SamplerFile).start(__filename, otherHooks) : null;
	} catch {
		return null;
	}
}
