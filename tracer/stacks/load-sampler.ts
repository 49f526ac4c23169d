// Loads the sampler (tracer/stacks/sampler.ts), which says what computed while a thread was blocked, where the host has asked for it. It is a file of
// its own: V8's profiler takes memory and a part of each ten milliseconds, which nobody pays who has not asked.
import type { JournalWriter } from '../journal/writer.ts';
import type { OtherHooks } from '../process/other-hooks.ts';

/**
 * Tells of a block that is over; times are µs since the journal began, `journalBegan` is ns of hrtime. Without a writer it stops for good. Never
 * throws.
 */
export type Sampler = (writer: JournalWriter | null, journalBegan: bigint, from: number, to: number) => void;

interface SamplerFile {
	start(tracer: string, otherHooks: OtherHooks): Sampler;
}

/** Null where nobody asked, or V8's profiler cannot be used: the report then names the wait before a block and says so. */
export function loadSampler(otherHooks: OtherHooks): Sampler | null {
	try {
		const file = process.env.WAITLINE_SAMPLER;
		return file ? (require(file) as SamplerFile).start(__filename, otherHooks) : null;
	} catch {
		return null;
	}
}
