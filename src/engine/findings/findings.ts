// Conclusions from a process' figures: applies all rules.
import type { Finding } from '../../protocol/report.ts';
import { dnsStarved } from './dns-starved.ts';
import { leakedConnection } from './leaked-connection.ts';
import { loopBlocked } from './loop-blocked.ts';
import { poolSaturated } from './pool-saturated.ts';
import { poolSizeTooLate } from './pool-size-too-late.ts';
import type { ProcessFacts, Ranked, Rule } from './rule.ts';
import { syncInCallback } from './sync-in-callback.ts';
import { timersLate } from './timers-late.ts';
import { tooFewConnections } from './too-few-connections.ts';
import { unboundedConcurrency } from './unbounded-concurrency.ts';

const RULES: readonly Rule[] = [
	poolSizeTooLate,
	poolSaturated,
	dnsStarved,
	loopBlocked,
	syncInCallback,
	timersLate,
	leakedConnection,
	tooFewConnections,
	unboundedConcurrency,
];

/** The most findings kept per recording: more than anyone reads. */
const MOST = 100;

/** A finding of some process. */
export interface Found {
	pid: number;
	found: Ranked;
}

/** What the rules find in one process. */
export function foundIn(process: ProcessFacts): Found[] {
	return RULES.flatMap((rule) => rule(process)).map((found) => ({ pid: process.pid, found }));
}

/** What was found in all processes, the most time lost first. */
export function findingsOf(found: Found[]): Finding[] {
	return found
		.sort((a, b) => b.found.lostMs - a.found.lostMs)
		.slice(0, MOST)
		.map(({ pid, found: { lostMs, ...finding } }) => ({ pid, ...finding }));
}
