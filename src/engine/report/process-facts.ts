// What the rules of src/engine/findings read: the report's facts, process by process. The rules are not applied again
// to a process that has recorded nothing new since the last report.
import { packageOf } from '../../protocol/blame.ts';
import type { Line, Pool, SourceLine } from '../../protocol/report.ts';
import type { Place, Resolve, StackTexts } from '../common/place.ts';
import { most } from '../common/sums.ts';
import { foundIn } from '../findings/findings.ts';
import type { Found } from '../findings/ranking.ts';
import type {
	AwaitFacts,
	CommandsAhead,
	ConnectionAnswer,
	PoolHolder,
	ProcessFacts,
	SyncCall,
	ThreadBlock,
	UnansweredCommand,
} from '../findings/rule.ts';
import type { Thread } from '../processes/process-model.ts';
import type { ThreadModel } from '../threads/thread-model.ts';
import { LineReport, type PlacedLine } from './line-report.ts';
import { blockOf } from './loop-report.ts';
import { loadOf } from './process-load.ts';
import { routesOf } from './request-report.ts';

/** What the program's own text shows. */
export interface SourceTexts extends StackTexts {
	/** Calls of Node's `…Sync` functions in the code that runs when an operation started there calls back. */
	syncCalls(place: Place): readonly SyncCall[];
	/** The await that an operation started there is for. */
	awaits(place: Place): AwaitFacts | null;
	/** Where the program sets UV_THREADPOOL_SIZE. */
	poolAssignment(): SourceLine | null;
}

/** What rules read of a process besides its records. */
interface RuleInputs {
	pool: Pool | null;
	texts: SourceTexts;
	resolve: Resolve;
}

/** The findings of one process. */
export class ProcessFindings {
	/** Its lines, for its findings and to be added up for the session. */
	readonly lines = new LineReport(false);
	/** The input from which the findings below were derived. */
	private seen: { placed: readonly PlacedLine[]; resolve: Resolve; inputs: string } | null = null;
	private found: Found[] = [];

	/**
	 * @param threads of the process, at least one, whose identity is known
	 * @param placed their lines
	 */
	of(threads: readonly Thread[], placed: readonly PlacedLine[], surroundings: RuleInputs): readonly Found[] {
		const { pool, texts, resolve } = surroundings;
		const inputs = JSON.stringify([threads.map(({ reader }) => reader.decoded), pool, texts.poolAssignment()]);
		if (this.seen?.placed !== placed || this.seen.resolve !== resolve || this.seen.inputs !== inputs) {
			this.seen = { placed, resolve, inputs };
			this.found = foundIn(factsOf(threads, placed, surroundings));
		}
		return this.found;
	}
}

function factsOf(
	threads: readonly Thread[],
	placed: readonly PlacedLine[],
	{ pool, texts, resolve }: RuleInputs,
): ProcessFacts {
	const models = threads.map(({ model }) => model);
	const places = new Map(placed.map(({ line, place }) => [line, place]));
	const { facts, poolSize } = models[0]!;
	return {
		pid: facts!.pid,
		...loadOf(models),
		threads: models.length,
		recordedMs: most(models, ({ recordedUs }) => recordedUs) / 1000,
		poolSize,
		poolWanted: models.find(({ poolWanted }) => poolWanted !== null)?.poolWanted ?? null,
		poolAssignment: texts.poolAssignment(),
		pool,
		lines: [...places.keys()],
		routes: routesOf(models, resolve),
		blocks: models.flatMap((model) => blocksOf(model, false, resolve, texts)),
		startUps: models.flatMap((model) => blocksOf(model, true, resolve, texts)),
		ageMs: (line) => ageOf(line, models),
		connectionUses: models.flatMap((model) => usesOf(model, resolve)),
		commandsAhead: models.flatMap((model) => aheadOf(model, resolve)),
		poolHolders: models.flatMap((model) => holdersOf(model, resolve)),
		unanswered: models.flatMap((model) => unansweredOf(model, resolve)),
		syncCalls: (line) => texts.syncCalls(places.get(line)!),
		awaits: (line) => texts.awaits(places.get(line)!),
	};
}

/** @param isStartUp whether those of the main script are asked for, or those of all that ran afterwards */
function blocksOf(
	{ facts, blocks }: ThreadModel,
	isStartUp: boolean,
	resolve: Resolve,
	texts: StackTexts,
): ThreadBlock[] {
	const { threadId, entry } = facts!;
	const asked = blocks.filter(({ isMain }) => isMain === isStartUp);
	return asked.map((block) => ({ ...blockOf(block, entry, resolve, texts), threadId }));
}

function ageOf({ oldestPending }: Line, models: readonly ThreadModel[]): number | null {
	const thread = models.find(({ facts }) => facts!.threadId === oldestPending?.threadId);
	return thread === undefined ? null : thread.now / 1000 - oldestPending!.startMs;
}

function usesOf({ connectionUses, now }: ThreadModel, resolve: Resolve): ConnectionAnswer[] {
	return [...connectionUses].flatMap(({ stats, at: answered, isUnread }) => {
		const at = resolve(stats.place);
		if (at === null) return [];
		const [library] = stats.libraries;
		const { op } = stats;
		return [{ ...at, op, library: packageOf(library?.script ?? ''), quietMs: (now - answered) / 1000, isUnread }];
	});
}

function unansweredOf({ unanswered }: ThreadModel, resolve: Resolve): UnansweredCommand[] {
	return unanswered.flatMap(({ waiting, ahead, us, first, since }) => {
		const [behind, at] = [resolve(waiting.place), resolve(ahead.place)];
		if (behind === null || at === null) return [];
		return [{ ...at, op: ahead.op, behind, ms: us / 1000, firstMs: first / 1000, sinceMs: since / 1000 }];
	});
}

function aheadOf({ commandsAhead }: ThreadModel, resolve: Resolve): CommandsAhead[] {
	return [...commandsAhead].flatMap(([waiting, lines]) => {
		const behind = resolve(waiting.place);
		if (behind === null) return [];
		return [...lines].flatMap(([{ place, op }, { us, longest }]) => {
			const at = resolve(place);
			return at === null
				? []
				: [{ ...at, op, behind: { ...behind, op: waiting.op }, ms: us / 1000, longestMs: longest / 1000 }];
		});
	});
}

function holdersOf({ poolHolders }: ThreadModel, resolve: Resolve): PoolHolder[] {
	return [...poolHolders].flatMap(([waiting, lines]) => {
		const behind = resolve(waiting.place);
		if (behind === null) return [];
		return [...lines].flatMap(([{ place, op, libraries }, { used, kept }]) => {
			const at = resolve(place);
			const library = packageOf((libraries[0] ?? place).script);
			return at === null ? [] : [{ ...at, op, library, behind, usedMs: used / 1000, keptMs: kept / 1000 }];
		});
	});
}
