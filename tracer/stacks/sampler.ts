// The sampler: records what a thread computed while it blocked its loop. A bundle of its own, which the tracer loads
// only where sampling was asked for (load-sampler.ts). A failure in here ends the sampling and nothing else.
import type { OtherHooks } from '../process/other-hooks.ts';
import { waitAsync } from '../process/wait-async.ts';
import { type PendingBlock, writeSamples } from './block-samples.ts';
import { BusyTime } from './busy-time.ts';
import { ProfileWindows, type Window } from './cpu-profile.ts';
import { WindowStacks } from './frames.ts';
import { FunctionLines } from './function-lines.ts';
import type { Sampler } from './load-sampler.ts';
import { LostCpu } from './lost-cpu.ts';
import { LostIdle } from './lost-idle.ts';
import { beforeProfileSignal } from './profile-signal.ts';

const hrtime = process.hrtime.bigint;

/**
 * A window without a block is thrown away after this time, in ms: each sample takes 40 bytes, and each end of a window
 * about 0.3 ms and 0.6 µs per sample.
 */
const WINDOW_MS = 10_000;
/**
 * The longest window that is still read, in µs. Nothing has ended it in time: the program listens to promises, and only
 * a promise of ours could wake the thread; or this process of a debug session is not debugged. Ending a longer one
 * would take long enough for a person to notice.
 */
const LONGEST_WINDOW_US = 600e6;

/** Blocks that wait for their samples: as many as the engine remembers (src/engine/loop/thread-blocks.ts). */
const MOST_PENDING = 1000;

// A program that lists the modules it has loaded did not load this one.
delete require.cache[__filename];

/**
 * Starts to sample this thread.
 * @param tracer the tracer's own file, whose functions are never blamed for a block
 * @param otherHooks whether the program has hooks that see promises
 * @throws where V8's profiler cannot be used
 */
export function start(tracer: string, otherHooks: OtherHooks): Sampler {
	const isDebugged = Boolean(process.env.WAITLINE_SAMPLER_WAITS);
	// Debug sessions take samples without being asked, and docs/tracer.md describes what samples can do to Node 18.
	if (isDebugged && process.versions.node.startsWith('18.')) throw new Error('Node 18 is not sampled under a debugger');
	/** The windows that have ended while blocks wait for their samples, and the one before them, in which a block may have begun. */
	let ended: WindowStacks[] = [];
	/** Blocks whose samples are still to be written. */
	let pending: PendingBlock[] = [];
	let began = hrtime();
	const lines = new FunctionLines();
	const busy = new BusyTime();
	const lostCpu = new LostCpu(() => (isStill() ? null : busy.times()));
	const isOwn = (script: string) => script === tracer || script === __filename;

	/** No failure in here may reach the program. */
	const guard = (step: () => void) => {
		try {
			step();
		} catch {
			// V8's profiler has failed, or the journal, which then says so itself: the report says that it has no samples.
			windows = null;
		}
	};
	const stop = () => {
		const last = windows;
		windows = null;
		last?.stop();
		busy.close();
	};
	/** Ends the window. */
	const take = (end: (of: ProfileWindows) => Window | null) => {
		if (windows === null) return;
		const now = hrtime();
		const isTooLong = Number(now - began) / 1000 > LONGEST_WINDOW_US;
		began = now;
		const window = isTooLong ? null : end(windows);
		if (window === null) stop();
		else ended = [...(pending.length === 0 ? ended.slice(-1) : ended), new WindowStacks(window, lines, isOwn)];
	};
	const takeNext = () => take((of) => of.next());
	/** Whether a debugger is about to stop the thread, and steps through what is called of Node's. */
	let isStill = () => false;
	/** Writes the blocks that were over when the last window ended. */
	const write = () => {
		if (pending.length === 0 || ended.length === 0 || isStill()) return;
		const blocks = pending;
		pending = [];
		const endedUs = Number(began) / 1000;
		for (let at = 0; at < blocks.length; at++) {
			const block = blocks[at]!;
			if (block.to <= endedUs) writeSamples(ended, block);
			else pending.push(block);
		}
		ended = ended.slice(-1);
	};
	let windows: ProfileWindows | null = new ProfileWindows(() => guard(takeNext));

	const cell = SharedArrayBuffer === undefined ? null : new Int32Array(new SharedArrayBuffer(4));
	const throwAway = async () => {
		while (windows !== null && cell !== null && waitAsync !== undefined && !otherHooks.areThere) {
			await waitAsync(cell, 0, 0, WINDOW_MS).value;
			guard(() => {
				const ageUs = Number(hrtime() - began) / 1000;
				if (isDebugged ? ageUs >= LONGEST_WINDOW_US : ageUs >= (WINDOW_MS * 1000) / 2) takeNext();
				write();
			});
		}
	};
	void throwAway();

	return {
		addBlock: (writer, journalBegan, from, to) =>
			guard(() => {
				if (windows === null) return;
				const lost = lostCpu.in(from, to);
				if (lost * 2 >= to - from) writer.write('lostCpu', { duration: lost });
				const base = Number(journalBegan) / 1000;
				pending.push({ journal: writer, journalBegan: base, from: base + from, to: base + to });
				if (pending.length > MOST_PENDING) pending.shift();
				if (!isDebugged) takeNext();
				write();
			}),
		look: () => guard(write),
		end: () =>
			guard(() => {
				if (pending.length > 0) take((of) => of.finish());
				write();
			}),
		begin: (clock) => {
			isStill = () => clock.isStill;
			return new LostIdle(() => (isStill() ? -1 : busy.us()), lostCpu, clock.now());
		},
		watchSignal: (handle) => guard(() => beforeProfileSignal(handle, stop)),
		close: () => guard(() => busy.close()),
		stop: () => guard(stop),
	};
}
