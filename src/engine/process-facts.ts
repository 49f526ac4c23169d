// What the rules of src/engine/findings get to see: the report's facts, process by process.
import type { Line, Pool, SourceLine } from '../protocol/report.ts';
import type { ProcessFacts, SyncCall } from './findings/rule.ts';
import { groupBy } from './group-by.ts';
import { linesOf, type PlacedLine } from './line-report.ts';
import type { Place } from './line-stats.ts';
import { blockOf, utilizationOf } from './loop-report.ts';
import type { Resolve } from './recording-model.ts';
import type { ThreadModel } from './thread-model.ts';

/** What can be read in the program's own text. */
export interface SourceTexts {
	/** Calls of Node's `…Sync` functions in what runs when an operation that was started there calls back. */
	syncCalls(place: Place): readonly SyncCall[];
	/** Where the program sets UV_THREADPOOL_SIZE. */
	poolAssignment(): SourceLine | null;
}

/**
 * @param models threads that have told who they are
 * @param lines of all of them
 */
export function factsOfProcesses(
	models: readonly ThreadModel[],
	lines: readonly PlacedLine[],
	pools: readonly Pool[],
	resolve: Resolve,
	texts: SourceTexts,
): ProcessFacts[] {
	const processes = groupBy(models, ({ facts }) => facts!.pid);
	return [...processes].map(([pid, threads]) => {
		const placed = processes.size === 1 ? lines : linesOf(threads, resolve);
		const places = new Map<Line, Place>(placed.map(({ line, place }) => [line, place]));
		const { poolSize } = threads[0]!;
		return {
			pid,
			durationMs: Math.max(...threads.map(({ now }) => now)) / 1000,
			poolSize,
			poolWanted: threads.find(({ poolWanted }) => poolWanted !== null)?.poolWanted ?? null,
			poolAssignment: texts.poolAssignment(),
			pool: pools.find((pool) => pool.pid === pid) ?? null,
			lines: [...places.keys()],
			blocks: threads.flatMap(({ blocks }) =>
				blocks.filter(({ isMain }) => !isMain).map((block) => blockOf(block, resolve)),
			),
			utilization: Math.max(...threads.map(utilizationOf)),
			syncCalls: (line) => texts.syncCalls(places.get(line)!),
		};
	});
}
