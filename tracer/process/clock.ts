// The journal's clock: `performance.now()`, taken while the tracer is loaded, because the program may replace it later
// (fake timers do).
import { performance } from './node-functions.ts';
import { NODE_MAJOR } from './node-version.ts';

const { hrtime } = process;
/** Node 18's own version reads `process.hrtime` each time, which is what fake timers replace. */
const READS_HRTIME = 18;

/** ms since the thread began. */
export const performanceNow = NODE_MAJOR > READS_HRTIME ? performance.now.bind(performance) : sinceOrigin();

function sinceOrigin(): () => number {
	const origin = milliseconds() - performance.now();
	return () => milliseconds() - origin;
}

function milliseconds(): number {
	const time = hrtime();
	return time[0] * 1000 + time[1] / 1_000_000;
}
