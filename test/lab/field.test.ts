// Programs from the field: what people report about slow asynchronous code, with the right answer to each. The report has to lead with
// it. (docs/testing.md says where the others of their kinds are tested.)
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { limitsOf } from '../../src/engine/findings/rule.ts';
import { eachFinding } from '../../src/protocol/finding-list.ts';
import type { Evidence, Finding, FindingOf, Report } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { installLibraries, libraries } from '../support/origins.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, entry, known, lineWith, sum } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';
import { record } from '../support/waitline.ts';

const folder = join(labPrograms, 'field');

interface Program {
	flags?: string[];
	args?(): string[];
	/** The versions of Node that it has that answer on, where these are not all of NODES. */
	on?: readonly number[];
	/** The right answer. @param printed what the program printed, as a number */
	answer(run: { report: Report; file: string; printed: number }): void;
}

const NODES = [20, 24, 26];

const PROGRAMS: Record<string, Program> = {
	'blamed-await': {
		answer({ report, file }) {
			const { evidence, message } = leading(report, 'loop-blocked', file, 'process.cpuUsage().user < end');
			assert.ok(evidence.blockedMs >= 0.6 * 8 * 90, message);
			assert.match(message, /^buildReport at .*, called from handler at/);
			const read = lineWith(file, 'fsp.readFile(');
			const blamed = findingsOf(report, 'loop-blocked').filter(({ line }) => line === read);
			assert.ok(blamed.every((finding) => finding.message.startsWith('Code that ran after the wait at')));
		},
	},
	garbage: {
		flags: ['--expose-gc'],
		answer({ report, file, printed }) {
			const [first] = report.findings;
			assert.equal(first?.code, 'loop-blocked');
			assert.match(first.message, /^Garbage collection, during /);
			assert.ok(!report.findings.some(({ code }) => code === 'timers-late'), 'late timers are its effect');
			// V8 collects at other times as well.
			const timers = ['return void setTimeout(round', '// begins'].map((text) => lineWith(file, text));
			const blocks = report.loops.flatMap((loop) => loop.blocks.filter(({ line }) => timers.includes(line)));
			const collectedMs = sum(blocks.map(({ collectionMs }) => collectionMs));
			assert.ok(collectedMs >= 0.7 * printed && collectedMs <= 1.05 * printed, `${collectedMs} of ${printed} ms`);
		},
	},
	'bcrypt-login': {
		answer({ report, file }) {
			const { evidence } = leading(report, 'pool-saturated', file, 'await bcrypt.compare(');
			assert.ok(evidence.queuedMs > evidence.saturatedMs && evidence.maxQueued >= 4, JSON.stringify(evidence));
		},
	},
	'argon2-pool': {
		// On Node 20 the package itself ends with a segmentation fault.
		on: [24, 26],
		answer({ report, file }) {
			const { op, message } = leading(report, 'pool-saturated', file, 'argon2.hash(');
			assert.equal(op, 'argon2:HashWorker');
			assert.match(message, /, behind argon2-pool\.cjs:\d+, executed/);
			const read = entry(report, { file, line: lineWith(file, 'fs.readFile('), op: 'fs.readFile' });
			assert.ok(known(read, 'queue').totalMs > 0.5 * known(read, 'wait').totalMs, 'it queued behind the hashes');
		},
	},
	'bcryptjs-login': {
		answer({ report, file }) {
			leading(report, 'loop-blocked', file, 'await bcrypt.compare(');
			assert.deepEqual(report.pools, [], 'nothing uses the pool');
		},
	},
	'readfile-promises': {
		answer({ report, file }) {
			const found = findingsOf(report, 'unbounded-concurrency');
			const lines = ['fs.promises.readFile(', 'fs.readFile('].map((text) => lineWith(file, text));
			assert.deepEqual(found.map(({ line }) => line).sort(), lines);
			assert.ok(found.every(({ evidence }) => evidence.maxInFlight >= 2900));
		},
	},
	'removes-trees': {
		answer({ report, file }) {
			for (const [text, op] of [
				['// copies', 'fs.promises.cp'],
				['// removes', 'fs.promises.rm'],
			] as const) {
				const found = entry(report, { file, line: lineWith(file, text), op });
				assert.deepEqual([found.count, found.pending], [1, 0]);
				const least = sum([found.queue, found.execute, found.lag].map((part) => limitsOf(part)!.low));
				const shown = sum([found.queue, found.execute, found.lag].map((part) => part!.totalMs));
				const { totalMs } = known(found, 'wait');
				assert.ok(least <= totalMs && shown <= totalMs * 1.01, `${least} to ${shown} of ${totalMs} ms`);
				if (found.threadTimeMs !== null) assert.ok(found.threadTimeMs.high >= limitsOf(found.execute)!.high);
			}
		},
	},
	'stringify-response': {
		answer({ report, file }) {
			leading(report, 'loop-blocked', file, 'JSON.stringify(');
		},
	},
	'worker-messages': {
		answer({ report, file }) {
			const { evidence, message } = leading(report, 'loop-blocked', file, 'process.cpuUsage().user < end');
			assert.match(message, /blocked the event loop of a Worker/);
			assert.ok(
				evidence.inWorkers === evidence.blocks && evidence.blockedMs >= 0.5 * 6 * 150,
				JSON.stringify(evidence),
			);
			const [main] = report.loops.filter(({ threadId }) => threadId === 0);
			const copy = lineWith(file, 'ms: 0, rows');
			assert.ok(
				main!.blocks.some(({ culprits }) => culprits.some(({ line }) => line === copy)),
				'the copy of the large message',
			);
		},
	},
	'ws-deflate': {
		answer({ report, file }) {
			const deflate = { file, line: lineWith(file, 'client.send('), op: 'zlib.createDeflateRaw' };
			assert.equal(entry(report, deflate).count, 12);
			const [pool] = report.pools;
			assert.ok(pool!.maxQueued >= 4 && pool!.saturatedMostMs > 0, JSON.stringify(pool));
		},
	},
	upgrade: {
		answer({ report, file, printed }) {
			const handshake = entry(report, { file, line: lineWith(file, 'new WebSocket('), op: 'http.request' });
			assert.deepEqual([handshake.count, handshake.pending], [1, 0]);
			const { totalMs } = known(handshake, 'wait');
			assert.ok(totalMs >= 199 && totalMs <= printed + 1, `${totalMs} of ${printed} ms`);
		},
	},
	'accept-queue': {
		args: () => [scratchFolder()],
		answer({ report, file, printed }) {
			const { evidence, victim } = found(report, 'loop-blocked', file, '; process.cpuUsage().user < end');
			// What is taken after the loop may have slept is not known to have been there before.
			assert.ok(evidence.delayed >= (printed < 1 ? 10 : 1), `${JSON.stringify(evidence)}, ${printed} ms without a CPU`);
			assert.equal(victim?.op, 'net.Server connection');
		},
	},
	'late-require': {
		answer({ report, file }) {
			const module = join(folder, 'takes-long-to-load.cjs');
			const { message } = leading(report, 'loop-blocked', module, 'process.cpuUsage().user < end');
			assert.match(message, new RegExp(`called from code at late-require\\.cjs:${lineWith(file, 'String(require(')}`));
		},
	},
	starved: {
		answer({ report, file }) {
			for (const text of ['await null', 'process.nextTick(']) {
				const { evidence, victim } = found(report, 'loop-blocked', file, text);
				assert.ok(victim !== null && evidence.delayedMs >= 100, JSON.stringify(evidence));
			}
		},
	},
};

/** The findings with that code, effects of others included. */
function findingsOf<Code extends keyof Evidence>(report: Report, code: Code): FindingOf<Code>[] {
	const all: Finding[] = eachFinding(report.findings);
	return all.filter((finding) => finding.code === code) as FindingOf<Code>[];
}

/** The finding with that code on the line with that text. */
function found<Code extends keyof Evidence>(report: Report, code: Code, file: string, text: string): FindingOf<Code> {
	const line = lineWith(file, text);
	const finding = findingsOf(report, code).find((each) => each.file === file && each.line === line);
	assert.ok(
		finding,
		`${code} on line ${line}, not ${eachFinding(report.findings)
			.map(({ message }) => message)
			.join(' ')}`,
	);
	return finding;
}

/** The same, and it is the first of the report. */
function leading<Code extends keyof Evidence>(report: Report, code: Code, file: string, text: string): FindingOf<Code> {
	const finding = found(report, code, file, text);
	assert.equal(report.findings[0]?.message, finding.message, 'the report leads with it');
	return finding;
}

describe('programs from the field', () => {
	before(installLibraries);

	for (const [name, { flags = [], args = () => [], on = NODES, answer }] of Object.entries(PROGRAMS)) {
		for (const node of nodes().filter(({ major }) => on.includes(major))) {
			it(`${name} on Node ${node.major}`, async () => {
				const file = join(folder, `${name}.cjs`);
				const { report, text } = await record(node, [...flags, file, ...args()], { env: { NODE_PATH: libraries } }, [
					'--sample',
				]);
				assertComplete(report);
				answer({ report, file, printed: Number(text) });
			});
		}
	}
});
