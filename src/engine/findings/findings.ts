// Conclusions from a process' figures: applies all rules.
import type { Finding, FindingCode } from '../../protocol/report.ts';
import { agentStarved } from './agent-starved.ts';
import { awaitsTogether } from './awaits-together.ts';
import { dnsStarved } from './dns-starved.ts';
import { earlierCommand } from './earlier-command.ts';
import { leakedConnection } from './leaked-connection.ts';
import { loopBlocked } from './loop-blocked.ts';
import { nPlusOne } from './n-plus-one.ts';
import { poolSaturated } from './pool-saturated.ts';
import { poolSizeTooLate } from './pool-size-too-late.ts';
import { byRootCause, type Found, ranked } from './ranking.ts';
import { requestsBlocked } from './requests-blocked.ts';
import type { ProcessFacts, Rule } from './rule.ts';
import { serialLoop } from './serial-loop.ts';
import { slowReader } from './slow-reader.ts';
import type { SteadyFindings } from './steady-findings.ts';
import { syncInCallback } from './sync-in-callback.ts';
import { timersLate } from './timers-late.ts';
import { tooFewConnections } from './too-few-connections.ts';
import { unboundedConcurrency } from './unbounded-concurrency.ts';

const RULES: Record<FindingCode, Rule> = {
	'pool-size-too-late': poolSizeTooLate,
	'pool-saturated': poolSaturated,
	'dns-starved': dnsStarved,
	'loop-blocked': loopBlocked,
	'sync-in-callback': syncInCallback,
	'requests-blocked': requestsBlocked,
	'timers-late': timersLate,
	'leaked-connection': leakedConnection,
	'too-few-connections': tooFewConnections,
	'agent-starved': agentStarved,
	'earlier-command': earlierCommand,
	'slow-reader': slowReader,
	'n-plus-one': nPlusOne,
	'serial-loop': serialLoop,
	'awaits-together': awaitsTogether,
	'unbounded-concurrency': unboundedConcurrency,
};

/** The most findings kept per recording: more than anyone reads. */
const MOST = 100;

/** What the rules find in one process. */
export function foundIn(process: ProcessFacts): Found[] {
	const { pid, durationMs } = process;
	return Object.values(RULES)
		.flatMap((rule) => rule(process))
		.map((found) => ({ pid, durationMs, found }));
}

/**
 * What was found in all processes, the gravest first, one for each root cause.
 * @param steady what was shown before, where the program still runs
 */
export function findingsOf(found: readonly Found[], steady: SteadyFindings | null = null): Finding[] {
	return byRootCause((steady?.next(found) ?? ranked(found)).slice(0, MOST));
}
