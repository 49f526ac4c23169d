// What the editor says about findings: the same figures as the terminal.
import assert from 'node:assert/strict';
import nodeModule from 'node:module';
import { test } from 'node:test';
import { limitsOf, rangesOf } from '../../../src/engine/findings/rule.ts';
import type { Finding } from '../../../src/protocol/report.ts';
import { ANY_FINDING, split } from '../../support/report-values.ts';

/** English, as where no language pack is. */
const VSCODE = `export const l10n = { t: (text, ...values) => text.replace(/\\{(\\d+)\\}/g, (_, i) => String(values[i])) };`;

type Resolved = { url: string; shortCircuit?: boolean };
type Resolve = (specifier: string, context: object, next: (specifier: string, context: object) => Resolved) => Resolved;
/** Newer than the types of Node that the extension is checked with. */
const { registerHooks } = nodeModule as unknown as {
	registerHooks(hooks: { resolve: Resolve }): { deregister(): void };
};

const hooks = registerHooks({
	resolve: (specifier, context, next) =>
		specifier === 'vscode'
			? { url: `data:text/javascript,${encodeURIComponent(VSCODE)}`, shortCircuit: true }
			: next(specifier, context),
});
const { findingText } = await import('../../../src/vscode/findings/findings.ts');
hooks.deregister();

/** A part that is known only to lie between zero and twice its middle. */
function unsure(middleMs: number) {
	return { ...split(middleMs, 'estimated'), range: { low: split(0), high: split(2 * middleMs) } };
}

test('a time that is only known within limits is a range and never its middle, as in the terminal', () => {
	const [queue, execute, holder] = [split(400), unsure(0.326), unsure(900)];
	const finding: Finding = {
		...ANY_FINDING,
		code: 'dns-starved',
		op: 'dns.lookup',
		basis: 'estimated',
		cause: { file: '/app/main.js', line: 9, name: 'fs.readFile', api: null },
		evidence: {
			count: 2,
			queueMs: queue.totalMs,
			queueP95Ms: queue.p95Ms,
			executeMs: execute.totalMs,
			holderMs: holder.totalMs,
			poolSize: 4,
			lookupThreads: 2,
			idleMs: 300,
		},
		lostMs: 400,
		ranges: rangesOf({
			queueMs: limitsOf(queue),
			executeMs: limitsOf(execute),
			holderMs: limitsOf(holder),
			lostMs: limitsOf(queue),
		}),
	};
	const { evidence, weight } = findingText(finding);
	assert.equal(
		evidence,
		'2 calls of dns.lookup queued for 400 ms in total, then took 0–652 µs. Threads that may look up names: 2 of 4. Lookups queued for at least 300 ms though another thread was idle. Meanwhile fs.readFile main.js:9 used the pool for 0–1.8 s.',
	);
	assert.match(weight, /It cost 400 ms, added up over all operations\./);
	const sampled = findingText({ ...finding, ranges: [] });
	assert.match(sampled.evidence, /queued for ≈400 ms in total/, 'without limits, the basis');
});

test('what a block delayed is a lower bound, and may be unknown', () => {
	const blocked = (surelyDelayed: number, low: number, high: number) => {
		const evidence = {
			...{ blocks: 1, blockedMs: 100, share: 0.1, longestMs: 100, delayed: 4, surelyDelayed, delayedMs: 150 },
			...{ byGc: 0, sampled: 0, collectionMs: 0, inWorkers: 0, threads: 1 },
		};
		const ranges = rangesOf({ delayedMs: { low, high } });
		return findingText({ ...ANY_FINDING, code: 'loop-blocked', evidence, ranges }).evidence;
	};
	assert.match(
		blocked(3, 100, 200),
		/, for 100 ms\. Operations that this delayed: at least 3, by 100–200 ms in total\./,
	);
	assert.match(blocked(0, 0, 300), /, for 100 ms\. Operations that this may have delayed: 4, by 0–300 ms in total\./);
});

test('a pool that was full for a time within limits is so in the editor too', () => {
	const finding: Finding = {
		...ANY_FINDING,
		code: 'pool-saturated',
		evidence: {
			...{ poolSize: 4, saturatedMs: 400, saturatedShare: 0.4, saturatedMostShare: 0.6, maxQueued: 9 },
			...{ occupiedShare: 0.5, occupiedMostShare: 0.7 },
			...{ queuedMs: 900, holderMs: 800, longestQueueMs: 90 },
		},
		ranges: rangesOf({ saturatedMs: { low: 400, high: 600 } }),
	};
	assert.match(
		findingText(finding).evidence,
		/^All 4 threads of the pool were busy for 400–600 ms \(40–60 % of the time\)\..* Jobs took 50–70 % of the threads’ time\.$/,
	);
});
