import { nodes } from './nodes.ts';
import { libraries } from './origins.ts';
import { assertComplete } from './report.ts';
import { type RecordedRun, record } from './waitline.ts';

/**
 * Records a program of the lab with stack samples, on that Node where it is there, and with the test libraries at hand.
 * @param flags of `waitline run`
 */
export async function recordSampled(
	args: string[],
	major: number,
	poolSize = 4,
	flags: string[] = [],
): Promise<RecordedRun> {
	const node = nodes().find((build) => build.major === major) ?? nodes()[0]!;
	const env = { UV_THREADPOOL_SIZE: String(poolSize), NODE_PATH: libraries };
	const recorded = await record(node, args, { env }, ['--sample', ...flags]);
	assertComplete(recorded.report);
	return recorded;
}
