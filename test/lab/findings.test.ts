// Findings: for each rule a program with that fault and two that look alike without it. The first has the finding, on its
// line, with numbers that fit what it does; the others have none.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { eachFinding } from '../../src/protocol/finding-list.ts';
import type { Evidence, FindingCode } from '../../src/protocol/report.ts';
import { FINDING_TITLES } from '../editor/suite/finding-titles.ts';
import { installLibraries } from '../support/origins.ts';
import { labPrograms } from '../support/paths.ts';
import { entry, lineWith, sum } from '../support/report.ts';
import { recordSampled } from '../support/sampled-run.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';

interface Fault {
	code: FindingCode;
	/** The finding's line: a text on it. */
	at: string;
	op: string | null;
	poolSize?: number;
	/** What must be true of the evidence. @param printed by the program */
	holds(evidence: Record<string, number | null>, printed: string): boolean;
}

const faults: Fault[] = [
	{
		code: 'pool-saturated',
		at: 'crypto.pbkdf2(',
		op: 'crypto.pbkdf2',
		poolSize: 2,
		// Eight hashes and a read, two at a time.
		holds: (e) => e.poolSize === 2 && e.maxQueued === 7 && e.queuedMs! > e.saturatedMs! && e.saturatedShare! > 0.1,
	},
	{
		code: 'dns-starved',
		at: 'dns.lookup(',
		op: 'dns.lookup',
		poolSize: 1,
		holds: (e) =>
			e.count === 1 && e.queueMs! > e.executeMs! && e.holderMs! >= 0.8 * e.queueMs! && e.lookupThreads === 1,
	},
	{
		code: 'loop-blocked',
		at: 'while (process.cpuUsage',
		op: null,
		// Due 50 ms after the block began, which lasts at least 300, or later by what the start of the script took behind Node's last reading of the clock.
		holds: (e) => e.blocks === 1 && e.longestMs! >= 300 && e.delayed === 3 && e.delayedMs! >= 3 * 150,
	},
	{
		code: 'pool-size-too-late',
		at: 'UV_THREADPOOL_SIZE =',
		op: null,
		holds: (e) => e.effective === 4 && e.wanted === 8,
	},
	{
		code: 'sync-in-callback',
		at: 'crypto.pbkdf2Sync(',
		op: 'crypto.pbkdf2Sync',
		holds: (e) => e.callbacks === 3 && e.runMs! >= 100 && e.longestRunMs! >= e.runMs! / 3,
	},
	{
		code: 'sync-in-callback',
		at: 'fs.readFileSync(',
		op: 'fs.readFileSync',
		holds: (e) => e.callbacks === 1 && e.runMs! >= 200,
	},
	{
		code: 'requests-blocked',
		at: 'http.createServer(',
		op: 'http.Server request',
		// Each computes for 3 ms; the k-th of sixty that come at once waits for those before it. Nothing shows when the first over each connection arrived.
		holds: (e) => e.requests! >= 180 && e.blockedMs! >= 3 * 60 * 10 && e.share! > 0.25 && e.runP50Ms! >= 2.9,
	},
	{
		code: 'timers-late',
		at: 'setInterval(',
		op: 'setInterval',
		holds: (e) => e.count === 10 && e.meanLateMs! >= 10 && e.maxLateMs! >= e.meanLateMs! && e.utilization! > 0.5,
	},
	{
		code: 'too-few-connections',
		at: "pool.query('select 1')",
		op: 'pool connection',
		// Two at a time, 50 ms each: the last two of ten wait for four times that. Lines that wait for no answer may be
		// named too.
		holds: (e) =>
			e.count! >= 8 && e.maxWaiting! >= 8 && e.pending === 0 && e.waitMs! >= 2 * (50 + 100 + 150 + 200) - 20,
	},
	{
		code: 'leaked-connection',
		at: 'await pool.connect(',
		op: 'pool connection',
		holds: (e) => e.waiting === 2 && e.waitedMs! >= 1000 && e.quiet === 2,
	},
	{
		code: 'agent-starved',
		at: 'http.get(',
		op: 'agent socket',
		// Two at a time, 40 ms each: the k-th pair waits for k answers.
		holds: (e) =>
			e.count === 18 &&
			e.askedMs! >= 20 * 39 &&
			e.pending === 0 &&
			e.waitMs! >= 2 * 40 * 45 - 100 &&
			// Over connections that the agent makes anew for each.
			e.aheadMs! >= 0.8 * e.waitMs!,
	},
	{
		code: 'earlier-command',
		at: "redis.get('settings')",
		op: 'earlier command',
		// Only the time counts in which the answer before had surely not come: on a busy machine that is less than the whole.
		holds: (e) => e.count === 10 && e.pending === 0 && e.aheadMs! >= 0.5 * e.waitMs! && e.longestMs! >= 290,
	},
	{
		code: 'earlier-command',
		at: "client.query('select 2')",
		op: 'connection queue',
		holds: (e) => e.count === 1 && e.waitMs! >= 290 && e.aheadMs! > 0.9 * e.waitMs! && e.longestMs! >= 290,
	},
	{
		code: 'n-plus-one',
		at: 'const answer = await fetch(',
		op: 'fetch',
		// The client waited for its requests at least as long as the server had them, which is known within limits: 1 % is more than their middle may be off.
		holds: (e, printed) =>
			e.requests === 3 &&
			e.times === 30 &&
			e.perRequest === 10 &&
			e.waitMs! >= 30 * 59 &&
			e.share! >= (0.99 * e.waitMs!) / sum((JSON.parse(printed) as { serve: number[] }).serve),
	},
	{
		code: 'serial-loop',
		at: 'const answer = await fetch(',
		op: 'fetch',
		holds: (e) => e.items === 24 && e.loops === 3 && e.waitMs! >= 24 * 99,
	},
	{
		code: 'awaits-together',
		at: 'const user = await fetch(',
		op: 'fetch',
		// One of the three is in a function.
		holds: (e) => e.awaits === 3 && e.count === 3 && e.waitMs! >= 9 * 199 && e.longestMs! >= 3 * 199,
	},
	{
		code: 'slow-reader',
		at: 'response.write(',
		op: 'reader',
		// The client takes 24 times 60 ms; what the system's buffers hold is not waited for. The share is of the whole run, with its start.
		holds: (e) => e.count! >= 5 && e.waitMs! >= 400 && e.pending === 0 && e.share! > 0.1,
	},
	{
		code: 'unbounded-concurrency',
		at: 'crypto.pbkdf2(',
		op: 'crypto.pbkdf2',
		poolSize: 4,
		holds: (e) => e.maxInFlight === 300 && e.poolSize === 4 && e.queueP95Ms! >= 100 && e.waitP95Ms! >= e.queueP95Ms!,
	},
];

/** Where another program takes the core away in the middle of a callback, that callback does block the loop. */
const byMachine = new Set<FindingCode>(['loop-blocked', 'timers-late']);

const folder = join(labPrograms, 'findings');
const programs = readdirSync(folder);

async function findingsOf(program: string[], major: number, poolSize?: number) {
	const { report, text } = await recordSampled(program, major, poolSize);
	return { findings: eachFinding(report.findings), printed: text };
}

describe('findings', SIDE_BY_SIDE, () => {
	it('each has a program', () => {
		assert.deepEqual(new Set(faults.map(({ code }) => code)), new Set(Object.keys(FINDING_TITLES)));
	});

	for (const major of [20, 24]) {
		describe(`on Node ${major}`, () => {
			before(installLibraries);

			for (const { code, at, op, poolSize, holds } of faults) {
				it(`${code}: ${op ?? 'the variable'}`, async () => {
					const program = join(folder, `${code}.cjs`);
					const { findings, printed } = await findingsOf([program], major, poolSize);
					const [finding, ...others] = findings.filter((other) => other.code === code && other.op === op);
					assert.ok(finding, `found: ${findings.map(({ message }) => message).join(' ')}`);
					assert.deepEqual(others, []);
					assert.deepEqual([finding.file, finding.line], [program, lineWith(program, at)]);
					assert.ok(
						holds({ ...finding.evidence }, printed),
						`${JSON.stringify(finding.evidence)}, printed: ${printed}`,
					);
				});
			}

			for (const [how, at] of [
				['slow', '200 ms'],
				['kept', "'begin'"],
			] as const) {
				it(`too-few-connections: the line whose connections are ${how}`, async () => {
					const program = join(folder, 'holds-connections.cjs');
					const { findings } = await findingsOf([program, how], major);
					const [finding] = findings.filter(
						({ code, line }) => code === 'too-few-connections' && line === lineWith(program, "'select 1'"),
					);
					assert.deepEqual([finding?.cause?.file, finding?.cause?.line], [program, lineWith(program, at)]);
					const { usedShare, keptShare } = finding!.evidence as Evidence['too-few-connections'];
					assert.ok((how === 'slow' ? usedShare : keptShare)! > 0.7, finding!.message);
				});
			}

			for (const [how, ahead, behind, waiting] of [
				['agent', '// over the agent, unread', '// behind the agent’s', 6],
				['client', '// over the client, unread', '// behind the client’s', 6],
				['slow', null, null, 0],
				['own', null, null, 0],
				['destroyed', null, null, 0],
			] as const) {
				it(`leaked-connection: responses that are not read (${how})`, async () => {
					const program = join(folder, 'leaks-sockets.cjs');
					const { findings } = await findingsOf([program, how], major);
					const leaks = findings.filter(({ code }) => code === 'leaked-connection');
					assert.deepEqual(
						leaks.map((each) => [
							each.line,
							each.cause?.line,
							(each.evidence as Evidence['leaked-connection']).waiting,
						]),
						behind === null ? [] : [[lineWith(program, behind), lineWith(program, ahead), waiting]],
					);
				});
			}

			it('requests that are given up while they wait for the connection of undici’s client wait no longer', async () => {
				const program = join(folder, 'leaks-sockets.cjs');
				const { report } = await recordSampled([program, 'destroyed'], major);
				const line = lineWith(program, '// behind the client’s');
				const waits = entry(report, { file: program, line, op: 'connection queue' });
				assert.deepEqual([waits.count, waits.pending], [6, 0]);
			});

			for (const how of ['keep-alive', 'close']) {
				it(`agent-starved: the line whose requests have the sockets (${how})`, async () => {
					const program = join(folder, 'holds-sockets.cjs');
					const { findings } = await findingsOf([program, how], major);
					const [finding, ...others] = findings.filter(({ code }) => code === 'agent-starved');
					assert.deepEqual([others.length, finding?.line], [0, lineWith(program, "path: '/status'")]);
					assert.equal(finding?.cause?.line, lineWith(program, "path: '/report'"));
					const { aheadMs, waitMs } = finding.evidence as Evidence['agent-starved'];
					assert.ok(aheadMs! >= 2 * 3 * 290 && aheadMs! <= waitMs, finding.message);
				});
			}

			for (const code of new Set(faults.map((fault) => fault.code))) {
				const without = programs.filter((name) => new RegExp(`^${code}-fine(-too)?\\.cjs$`).test(name));
				assert.equal(without.length, 2, `${code}: look-alikes`);
				for (const name of without) {
					it(`${name} has nothing to find`, async () => {
						const { findings } = await findingsOf([join(folder, name)], major);
						assert.deepEqual(
							findings.filter((other) => other.code === code || !byMachine.has(other.code)),
							[],
						);
					});
				}
			}
		});
	}
});
