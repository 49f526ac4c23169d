// Work that a program names by an AsyncResource, as a whole: compared with what the program itself measured.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Route } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, lineWith, sum } from '../support/report.ts';
import { assertWithin, type Span, spansPrinted, waitsOf } from '../support/truth.ts';
import { type RecordedRun, record } from '../support/waitline.ts';

const program = join(tracerPrograms, 'names-its-work.cjs');

for (const node of nodes()) {
	describe(`named work on Node ${node.major}`, () => {
		let recording: RecordedRun;
		before(async () => {
			recording = await record(node, [program]);
			assertComplete(recording.report);
		});
		const routes = (comment: string): Route[] => {
			const line = lineWith(program, comment) + (comment.endsWith('↓') ? 1 : 0);
			return recording.report.requests.filter((route) => route.file === program && route.line === line);
		};
		const spans = (printed: string): Span[] => spansPrinted(recording.text, printed);

		for (const [comment, op, printed] of [
			['// the job', 'job', 'job'],
			['// a part of it', 'part', 'part'],
			['// over within itself', 'inside', 'inside'],
			['// the handler ↓', 'http.Server request', 'request'],
		] as const) {
			it(`${comment.slice('// '.length)}: from its beginning to its end, and its parts are the whole`, () => {
				const seen = spans(printed);
				const [route] = routes(comment);
				assert.deepEqual([route?.op, route?.count, route?.pending], [op, seen.length, 0]);
				const { duration, run, wait, blocked, unknown } = route!;
				assertWithin(duration.totalMs, seen, 'the whole');
				const parts = [run, wait, blocked, unknown].map(({ totalMs }) => totalMs);
				assertNear(sum(parts), duration.totalMs, 0, 'its parts', 0.01);
			});
		}

		it('a job waits in its queue, and then for what it asks for', () => {
			const [{ parts, run }] = routes('// the job') as [Route];
			const waitAt = (comment: string) => {
				const line = lineWith(program, comment);
				return parts.find((part) => part.kind === 'wait' && part.line === line);
			};
			const queued = spans('queued');
			assertWithin(waitAt('// the job')!.ms, queued, 'in the queue');
			assert.equal(waitAt('// it waits')!.count, queued.length);
			assert.equal(waitAt('// and looks')!.count, queued.length);
			assert.ok(run.totalMs >= sum(waitsOf(spans('computed'))), `${run.totalMs} ms`);
		});

		it('what it waits for is on the way of the request that it is part of', () => {
			const line = lineWith(program, '// for the request');
			for (const comment of ['// a part of it', '// the handler ↓']) {
				const part = routes(comment)[0]!.parts.find((each) => each.kind === 'wait' && each.line === line);
				assert.equal(part?.count, spans('request').length, comment);
			}
		});

		it('what is never destroyed has no end', () => assert.deepEqual(routes('// never over'), []));
	});
}
