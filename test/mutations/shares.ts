// The mutations, shared out to threads and watched: one that hangs or takes too much memory is a failure like any other, and the rest
// is tried without it.
import { Worker } from 'node:worker_threads';
import { mutation, type Original } from './mutate.ts';
import type { Tried } from './try.ts';
import { NONE_YET, type Share } from './worker-share.ts';

export interface Work {
	originals: Original[];
	seed: number;
	count: number;
	reader: string;
	/** How long one mutation may take, in ms, before its thread is ended. */
	patience: number;
}

/** As many as the cores that the tests count on. */
const THREADS = 2;
/** Heap of a thread, in MiB: some ten times what the recordings take as they were made. */
const HEAP_MIB = 256;
/** Beyond the heap, in the whole process, in bytes: there are typed arrays too. */
const MOST_BYTES = 1536 * 2 ** 20;
/** How often the threads are looked at, in ms. */
const LOOK_MS = 100;

/**
 * @param take hears of each mutation that was tried
 * @returns the most memory that the process has taken, in bytes
 */
export async function runShares(work: Work, take: (tried: Tried) => void): Promise<number> {
	let peak = 0;
	const timer = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage.rss());
	}, LOOK_MS);
	try {
		await Promise.all(Array.from({ length: THREADS }, (_, thread) => runShare(work, thread, take, () => peak)));
	} finally {
		clearInterval(timer);
	}
	return Math.max(peak, process.resourceUsage().maxRSS * 1024);
}

/** One thread's mutations, in as many threads as it takes. */
async function runShare(work: Work, first: number, take: (tried: Tried) => void, peak: () => number): Promise<void> {
	for (let from: number | null = first; from !== null; ) {
		const { fault, at, unreported } = await runThread(work, from, take, peak);
		if (fault === null) return;
		// What it had tried but not reported is tried again, without the mutation that ended it.
		for (let index = unreported; index < at; index += THREADS)
			await runThread({ ...work, count: index + 1 }, index, take, peak);
		const { original, kinds } = mutation(work.originals, work.seed, at);
		take({ index: at, original, kinds, outcome: 'failed', ms: work.patience, faults: [fault] });
		from = at + THREADS < work.count ? at + THREADS : null;
	}
}

/** @returns why the thread ended early, at which index, and the first index that it has not reported */
function runThread(
	{ originals, seed, count, reader, patience }: Work,
	from: number,
	take: (tried: Tried) => void,
	peak: () => number,
): Promise<{ fault: string | null; at: number; unreported: number }> {
	const at = new Int32Array(new SharedArrayBuffer(4));
	at[0] = NONE_YET;
	const share: Share = { originals, seed, from, step: THREADS, to: count, reader, at };
	const worker = new Worker(new URL('./worker.ts', import.meta.url), {
		workerData: share,
		resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
	});
	let unreported = from;
	let seen = NONE_YET;
	let since = performance.now();
	return new Promise((resolve) => {
		const end = (fault: string | null) => {
			clearInterval(timer);
			// What it may still send is tried again.
			worker.removeAllListeners('message');
			resolve({ fault, at: Math.max(from, at[0]!), unreported });
			void worker.terminate();
		};
		const timer = setInterval(() => {
			const now = Atomics.load(at, 0);
			// Loading the reader does not count: how long that takes depends on the machine.
			if (now !== seen || now === NONE_YET) [seen, since] = [now, performance.now()];
			else if (performance.now() - since > patience) end(`it hangs: not done after ${patience} ms`);
			if (peak() > MOST_BYTES) end(`it takes too much memory: ${Math.round(peak() / 2 ** 20)} MiB`);
		}, LOOK_MS);
		worker.on('message', (tried: Tried[]) => {
			for (const each of tried) take(each);
			unreported += tried.length * THREADS;
		});
		worker.on('error', (error: Error) => end(error.stack ?? error.message));
		worker.on('exit', () => end(null));
	});
}
