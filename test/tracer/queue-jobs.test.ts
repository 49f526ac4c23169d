// Jobs of bullmq's queues and tasks of piscina's pool, as a whole: compared with what the program itself measured, with a real server.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { missingDatabaseServers, redisForSuite } from '../support/database-servers.ts';
import { nodesOfLibraries } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, assertNear, entry, lineWith, sum } from '../support/report.ts';
import { assertWithin, spansPrinted } from '../support/truth.ts';
import { type RecordedRun, record } from '../support/waitline.ts';

const program = libraryProgram('works-on-jobs.cjs');
const missing = missingDatabaseServers();

describe('jobs of queues', { skip: missing ?? false }, () => {
	before(installLibraries);
	const redisPort = redisForSuite();

	for (const node of nodesOfLibraries()) {
		describe(`on Node ${node.major}`, () => {
			let recording: RecordedRun;
			before(async () => {
				recording = await record(node, [program], { env: { REDISPORT: redisPort() } });
				assertComplete(recording.report);
			});

			for (const [comment, queue, name] of [
				["// the mails' worker ↓", 'mail', 'bill'],
				["// the mails' worker ↓", 'mail', 'welcome'],
				["// the mails' worker ↓", 'mail', 'retried'],
				["// the mails' worker ↓", 'mail', 'later'],
				['// adds up', 'sum', 'add'],
			] as const) {
				it(`${queue}/${name}: as long as the program's function works on it, and its parts are the whole`, () => {
					const { report, text } = recording;
					const line = lineWith(program, comment) + (comment.endsWith('↓') ? 1 : 0);
					const route = report.requests.find(({ op }) => op === `${queue}/${name}`);
					const seen = spansPrinted(text, name);
					assert.deepEqual([route?.file, route?.line], [program, line]);
					assert.deepEqual([route!.count, route!.pending], [seen.length, 0]);
					const { duration, run, wait, blocked, unknown } = route!;
					assertWithin(duration.totalMs, seen, 'the whole');
					const parts = [run, wait, blocked, unknown].map(({ totalMs }) => totalMs);
					assertNear(sum(parts), duration.totalMs, 0, 'its parts', 0.01);
					const { count, pending, wait: jobs } = entry(report, { file: program, line, op: `${queue}/${name}` });
					assert.deepEqual([count, pending], [seen.length, 0]);
					assertNear(jobs!.totalMs, duration.totalMs, 0, 'on its line', 0.01);
				});
			}

			it('a job waits for what its function waits for', () => {
				const line = lineWith(program, '// it waits');
				for (const [name, ms] of [
					['bill', 30],
					['welcome', 10],
				] as const) {
					const route = recording.report.requests.find(({ op }) => op === `mail/${name}`)!;
					const part = route.parts.find((each) => each.kind === 'wait' && each.line === line);
					assert.equal(part?.count, route.count, name);
					// A timer may come 1 ms early, as its time is rounded.
					assert.ok(part.ms >= route.count * (ms - 1), `${part.ms} ms`);
				}
			});

			it('a job that only computes runs', () => {
				const { report, text } = recording;
				const route = report.requests.find(({ op }) => op === 'sum/add')!;
				assert.equal(route.wait.totalMs, 0);
				// The machine may stop between the function's return and the promise that is over then: that is nobody's time.
				assertWithin(route.run.totalMs, spansPrinted(text, 'add'), 'own code');
			});

			it("a task of piscina's waits until it is done", () => {
				const { report, text } = recording;
				const seen = spansPrinted(text, 'task');
				const { count, pending, wait } = entry(report, {
					file: program,
					line: lineWith(program, '// the task'),
					op: 'Piscina.Task',
				});
				assert.deepEqual([count, pending], [seen.length, 0]);
				assertWithin(wait!.totalMs, seen, 'the tasks');
			});
		});
	}
});
