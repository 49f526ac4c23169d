// One mutation tried: what came of it, and what it took.
import { mutation, type Original } from './mutate.ts';
import { faultsOf } from './plausible.ts';
import type { Reader } from './reader.ts';

export interface Tried {
	index: number;
	original: string;
	kinds: readonly string[];
	outcome: 'read' | 'refused' | 'failed';
	/** CPU time of the reading, in ms. */
	ms: number;
	/** What was wrong; empty unless it failed. */
	faults: readonly string[];
}

/**
 * What a mutation may take, in ms of CPU time: this multiple of what reading the unchanged recording takes, and a constant for
 * whatever else the machine does.
 */
const MOST_TIMES = 20;
const MOST_MS = 1000;

/** Of a mutation's faults, as many as one reads. */
const MOST_FAULTS = 5;

export class Trial {
	private readonly originals: readonly Original[];
	private readonly seed: number;
	private readonly read: Reader;
	/** What each recording takes as it was made, in ms. */
	private readonly usual = new Map<string, number>();

	constructor(originals: readonly Original[], seed: number, read: Reader) {
		this.originals = originals;
		this.seed = seed;
		this.read = read;
	}

	/** Reads the recordings as they were made: twice, since the first time everything is compiled. @throws what that throws */
	async warmUp(): Promise<void> {
		for (const { name, bytes } of [...this.originals, ...this.originals]) {
			const from = cpuMs();
			const reading = await this.read(bytes);
			this.usual.set(name, cpuMs() - from);
			if (reading.kind === 'refusal') throw new Error(`${name}, as it was made: ${reading.sentence}`);
		}
	}

	async attempt(index: number): Promise<Tried> {
		const { original, kinds, bytes } = mutation(this.originals, this.seed, index);
		const from = cpuMs();
		let faults: string[];
		let outcome: Tried['outcome'] = 'refused';
		try {
			const reading = await this.read(bytes);
			if (reading.kind === 'report') {
				outcome = 'read';
				faults = faultsOf(reading);
			} else {
				faults = /^[^\n]+\.$/.test(reading.sentence) ? [] : [`no sentence: ${reading.sentence}`];
			}
		} catch (error) {
			faults = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
		}
		const ms = cpuMs() - from;
		const limit = MOST_TIMES * (this.usual.get(original) ?? 0) + MOST_MS;
		if (ms > limit) faults.push(`it took ${ms.toFixed(0)} ms of CPU time, where ${limit.toFixed(0)} are the most`);
		if (faults.length > 0) outcome = 'failed';
		return { index, original, kinds, outcome, ms, faults: faults.slice(0, MOST_FAULTS) };
	}
}

/** Of one thread (Node 23.9); the types are of an older Node. */
const { threadCpuUsage } = process as typeof process & { threadCpuUsage: typeof process.cpuUsage };

/** CPU time of this thread so far, in ms: a busy machine makes nothing slower by it. */
function cpuMs(): number {
	const { user, system } = threadCpuUsage();
	return (user + system) / 1000;
}
