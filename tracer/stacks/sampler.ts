// The sampler: records what a thread computed while it blocked its loop. A bundle of its own, which the tracer loads
// only where sampling was asked for (load-sampler.ts). A failure in here ends the sampling and nothing else.
import type { OtherHooks } from '../process/other-hooks.ts';
import { writeSamples } from './block-samples.ts';
import { BusyTime } from './busy-time.ts';
import { ProfileWindows } from './cpu-profile.ts';
import { WindowStacks } from './frames.ts';
import { FunctionLines } from './function-lines.ts';
import type { Sampler } from './load-sampler.ts';
import { beforeProfileSignal } from './profile-signal.ts';

const hrtime = process.hrtime.bigint;

/**
 * A window without a block is thrown away after this time, in ms: each sample takes 40 bytes, and each end of a window
 * about 0.3 ms and 0.6 µs per sample.
 */
const WINDOW_MS = 10_000;
/**
 * The longest window that is still read, in µs. When the program listens to promises, nothing can end a window in time,
 * since only a promise of ours could wake the thread; ending a longer one would take so much time that a person
 * notices.
 */
const LONGEST_WINDOW_US = 600e6;

// A program that lists the modules it has loaded did not load this one.
delete require.cache[__filename];

/**
 * Starts to sample this thread.
 * @param tracer the tracer's own file, whose functions are never blamed for a block
 * @param otherHooks whether the program has hooks that see promises
 * @throws where V8's profiler cannot be used
 */
export function start(tracer: string, otherHooks: OtherHooks): Sampler {
	let windows: ProfileWindows | null = new ProfileWindows();
	const lines = new FunctionLines();
	const busy = new BusyTime();
	let began = hrtime();
	const isOwn = (script: string) => script === tracer || script === __filename;

	const stop = () => {
		const stopped = windows;
		windows = null;
		stopped?.stop();
		busy.close();
	};
	/** @returns what the thread did since the last call; null when that is unknown */
	const take = () => {
		const now = hrtime();
		const isTooLong = Number(now - began) / 1000 > LONGEST_WINDOW_US;
		began = now;
		const window = isTooLong ? null : (windows?.next() ?? null);
		if (window === null) stop();
		return window;
	};
	const waitAsync = (Atomics as unknown as { waitAsync?: WaitAsync } | undefined)?.waitAsync;
	const cell = SharedArrayBuffer === undefined ? null : new Int32Array(new SharedArrayBuffer(4));
	const throwAway = async () => {
		while (windows !== null && cell !== null && waitAsync !== undefined && !otherHooks.areThere) {
			await waitAsync(cell, 0, 0, WINDOW_MS).value;
			guard(() => {
				if (windows !== null && Number(hrtime() - began) / 1e6 >= WINDOW_MS / 2) take();
			});
		}
	};
	/** No failure in here may reach the program. */
	const guard = (step: () => void) => {
		try {
			step();
		} catch {
			// V8's profiler has failed, or the journal, which then says so itself: the report says that it has no samples.
			windows = null;
		}
	};
	void throwAway();

	return {
		record: (writer, journalBegan, from, to) =>
			guard(() => {
				const window = windows === null ? null : take();
				if (window === null) return;
				const base = Number(journalBegan) / 1000;
				const stacks = new WindowStacks(window.profile.nodes, lines, isOwn);
				writeSamples(window, base + from, base + to, writer, base, stacks);
			}),
		busyUs: () => busy.us(),
		watchSignal: (handle) => guard(() => beforeProfileSignal(handle, stop)),
		close: () => guard(() => busy.close()),
		stop: () => guard(stop),
	};
}

type WaitAsync = (cell: Int32Array, index: number, value: number, timeout: number) => { value: Promise<string> };
