// On which line a served request is shown whose handler awaits what is there already before it starts anything.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Route } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, entries, lineWith, sum } from '../support/report.ts';
import { type RecordedRun, record } from '../support/waitline.ts';

const program = join(tracerPrograms, 'serves-from-memory.cjs');
/** How often the program asks for each, and how long the handler that computes does so before and after its first `await`. */
const ROUNDS = 100;
const COMPUTED = 10;
/** How many ask at once for what the first of them has asked for. */
const TOGETHER = 5;
const SPIN_MS = 10;

for (const node of nodes()) {
	describe(`requests that are served from memory on Node ${node.major}`, () => {
		let recording: RecordedRun;
		before(async () => {
			recording = await record(node, [program]);
			assertComplete(recording.report);
		});
		const routeAt = (text: string): Route | undefined => {
			const line = lineWith(program, text);
			return recording.report.requests.find((route) => route.file === program && route.line === line);
		};
		const countsAt = (text: string) => {
			const route = routeAt(text);
			return [route?.count, route?.pending, route?.closedEarly];
		};

		for (const [text, operation] of [
			["async '/reads'", '// for the one that reads'],
			["async '/loads'", '// for the one that loads'],
		] as const) {
			it(`${text} is a route of its own, and so is what it starts`, () => {
				assert.deepEqual(countsAt(text), [ROUNDS, 0, 0]);
				const lines = entries(recording.report, { file: program, line: lineWith(program, operation) });
				assert.equal(sum(lines.map(({ count }) => count)), ROUNDS);
				const waited = routeAt(text)!.parts.filter(
					(part) => part.kind === 'wait' && part.line === lineWith(program, operation),
				);
				assert.equal(sum(waited.map(({ count }) => count)), ROUNDS, 'each of its requests waited for that');
			});
		}

		it('a handler is one route, whether it answers at once or from memory', () => {
			assert.deepEqual(countsAt('async function mixed('), [2 * ROUNDS, 0, 0]);
		});

		it('what a handler computes before and after its await is of its requests', () => {
			assert.deepEqual(countsAt('async function computes('), [COMPUTED, 0, 0]);
			const { run, wait, blocked, unknown, duration } = routeAt('async function computes(')!;
			assert.ok(run.totalMs >= COMPUTED * SPIN_MS * 0.98, `${run.totalMs} ms`);
			const parts = [run, wait, blocked, unknown].map(({ totalMs }) => totalMs);
			assertNear(sum(parts), duration.totalMs, 0, 'its parts', 0.01);
		});

		it('a handler that reads a body afterwards is one route', () => {
			assert.deepEqual(countsAt('async function posts('), [ROUNDS, 0, 0]);
		});

		it('a handler is one route, whether it starts something or waits for what another request has asked for', () => {
			assert.deepEqual(countsAt('async function shares('), [TOGETHER, 0, 0]);
			const timer = lineWith(program, '// for all of them');
			const waited = routeAt('async function shares(')!.parts.find(
				({ kind, line }) => kind === 'wait' && line === timer,
			);
			assert.equal(waited?.count, TOGETHER, 'each of its requests waited for that');
		});

		it('of several requests that were read at once, none is on the line of the other one’s handler', () => {
			assert.deepEqual(countsAt('// where they listen'), [2, 0, 0]);
			for (const handler of ["async '/one'", "async '/two'", 'const servePipelined']) {
				assert.equal(routeAt(handler), undefined, handler);
			}
		});
	});
}

for (const node of nodes()) {
	describe(`requests with bodies on Node ${node.major}`, () => {
		const late = join(tracerPrograms, 'reads-bodies-late.cjs');
		it('waited for what their handler did before it read them, and for their client where that is slow', async () => {
			const { report, stdout } = await record(node, [late]);
			assertComplete(report);
			const truth: { database: number; bodies: number } = JSON.parse(stdout.toString());
			const waits = report.requests
				.filter(({ file }) => file === late)
				.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'wait'));
			const waitedAt = (at: number) => sum(waits.filter(({ line }) => line === at).map(({ ms }) => ms));
			assertNear(waitedAt(lineWith(late, '// the database')), truth.database, 0.1, 'the database');
			assertNear(waitedAt(lineWith(late, 'late(request, response) :')), truth.bodies, 0.25, 'the client');
		});
	});

	describe(`a route that is asked for after another one on Node ${node.major}`, () => {
		const serves = join(tracerPrograms, 'serves-new-routes.cjs');

		it('has what it starts on its own lines from its first request on', async () => {
			const { report } = await record(node, [serves]);
			assertComplete(report);
			for (const when of ['after a tick', 'after a body', 'with a piece']) {
				const counts = ['often', 'seldom'].map((how) => {
					const lines = entries(report, { file: serves, line: lineWith(serves, `// ${how}, ${when}`) });
					return sum(lines.filter(({ op }) => op.startsWith('fs.')).map(({ count }) => count));
				});
				assert.deepEqual(counts, [60, 5], when);
			}
		});
	});
}
