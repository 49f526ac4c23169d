// The two clocks of a journal. Times in it are by `performance.now()`, which costs less to read than `hrtime`, a third
// less on Node 18 and 26. But `performance.now()` begins with the thread, so the beginning of the journal is given in `hrtime`,
// which all threads and processes share.
import { performanceNow } from './clock.ts';

/** One moment by both clocks. */
export interface Moment {
	/** ns. */
	readonly hrtime: bigint;
	/** Of `performance.now()`, ms. */
	readonly ms: number;
}

/**
 * The first reading compiles, and between any two the thread may lose its CPU for milliseconds: the closest pair of
 * eight is taken.
 */
const TRIES = 8;

/** Now, to about 0.1 µs. */
export function bothClocks(): Moment {
	let closest = Infinity;
	let moment: Moment = { hrtime: 0n, ms: 0 };
	for (let i = 0; i < TRIES; i++) {
		const before = process.hrtime.bigint();
		const ms = performanceNow();
		const gap = process.hrtime.bigint() - before;
		if (Number(gap) >= closest) continue;
		closest = Number(gap);
		moment = { hrtime: before + gap / 2n, ms };
	}
	return moment;
}
