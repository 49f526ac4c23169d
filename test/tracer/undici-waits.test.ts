// Requests of undici that wait for one of its pool's connections, compared with what the program itself measures.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Line } from '../../src/protocol/report.ts';
import { nodesOfLibraries } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, entries, entry, lineWith, sum } from '../support/report.ts';
import { assertBetween, assertWithin, spansPrinted, waitsOf } from '../support/truth.ts';
import { type RecordedRun, record } from '../support/waitline.ts';

const program = libraryProgram('shares-connections.cjs');
const REQUESTS = 4;
/** How long the server takes for each, at least. */
const SERVED_MS = 59;

/** On this Node the program stays until its last requests have waited long enough to show that nobody will give a connection back. */
const LONG = 24;
const LEAK_MS = 1100;

/** By the version's major number. */
const PACKAGES: readonly [number, string][] = [
	[5, '@five/undici'],
	[6, 'undici'],
];

describe('waits for a connection of undici', () => {
	before(installLibraries);

	const runs = nodesOfLibraries().flatMap((node) => PACKAGES.map(([version, name]) => ({ node, version, name })));
	for (const { node, version, name } of runs) {
		describe(`${version} on Node ${node.major}`, () => {
			let recording: RecordedRun;
			before(async () => {
				const env = { STAYS_MS: String(node.major === LONG ? LEAK_MS : 50), UNDICI: name };
				recording = await record(node, [program], { env });
				assertComplete(recording.report);
			});
			const lineAt = (comment: string, op: string): Line =>
				entry(recording.report, { file: program, line: lineWith(program, comment), op });

			for (const [printed, comment] of [
				['few', '// over few connections'],
				['as well', '// over few as well'],
			] as const) {
				it(`${comment.slice('// '.length)}: it and the request after it are what the program sees`, () => {
					const wait = lineAt(comment, 'pool connection');
					const request = lineAt(comment, 'undici request');
					assert.equal(request.count, REQUESTS);
					assert.ok(wait.count > 0 && wait.count <= REQUESTS && wait.pending === 0, `${wait.count} waited`);
					assertWithin(wait.wait!.totalMs + request.wait!.totalMs, spansPrinted(recording.text, printed), 'both');
				});
			}

			it('of more requests than connections, those that are too many wait', () => {
				const waits = ['// over few connections', '// over few as well'].map((comment) =>
					lineAt(comment, 'pool connection'),
				);
				assert.ok(sum(waits.map(({ count }) => count)) >= 2 * REQUESTS - 2);
			});

			it('for good, where the responses before are not read: pending', () => {
				const { count, pending } = lineAt('// for good', 'pool connection');
				assert.deepEqual([count, pending], [0, 1]);
			});

			it('over the only one of a client: its turn and the request after it are what the program sees', () => {
				const turn = lineAt('// over the only one', 'connection queue');
				const request = lineAt('// over the only one', 'undici request');
				assert.deepEqual([request.count, turn.pending], [REQUESTS, 0]);
				// The first waits for the loop's next turn, on a busy machine for longer than nothing.
				assert.ok(turn.count >= REQUESTS - 1, `${turn.count} waited`);
				const spans = spansPrinted(recording.text, 'alone');
				assertWithin(turn.wait!.totalMs + request.wait!.totalMs, spans, 'both');
				const queued = sum(spans.map(({ least }) => Math.max(0, least - SERVED_MS)));
				const most = sum(waitsOf(spans)) - REQUESTS * SERVED_MS;
				assertBetween(turn.wait!.totalMs, queued, most, 'three wait for those before them');
				assert.equal(request.maxInFlight, REQUESTS);
			});

			it('for good: those whose responses are not read hold the connections', { skip: node.major !== LONG }, () => {
				const found = recording.report.findings.filter(({ code }) => code === 'leaked-connection');
				assert.deepEqual(
					found.map(({ line, cause }) => [line, cause?.line]),
					[[lineWith(program, '// for good'), lineWith(program, '// not read')]],
				);
			});

			for (const comment of ['// opens them', '// over its own', '// not read', '// opens it']) {
				it(`${comment.slice('// '.length)}: none`, () => {
					const at = { file: program, line: lineWith(program, comment), op: 'pool connection' };
					assert.deepEqual(entries(recording.report, at), []);
				});
			}
		});
	}
});
