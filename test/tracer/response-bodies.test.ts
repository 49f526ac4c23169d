// How long the body of a response took after its headers, compared with what the program itself saw.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, entries, entry, lineWith } from '../support/report.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';
import { assertWithin, spansPrinted } from '../support/truth.ts';
import { type RecordedRun, record } from '../support/waitline.ts';

const OP = 'response body';
const program = join(tracerPrograms, 'answers-in-pieces.cjs');

describe('the body of a response', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			let recording: RecordedRun;
			before(async () => {
				recording = await record(node, [program]);
				assertComplete(recording.report);
			});
			const at = (comment: string) => ({ file: program, line: lineWith(program, `// ${comment}`), op: OP });

			for (const kind of ['fetch', 'http']) {
				it(`that takes longer than its headers is waited for on the line of the request: ${kind}`, () => {
					const { count, pending, wait, maxInFlight } = entry(recording.report, at(`by ${kind}`));
					assert.deepEqual([count, pending, maxInFlight], [2, 0, 2]);
					assertWithin(wait!.totalMs, spansPrinted(recording.text, `${kind} `), kind);
				});

				it(`that comes with its headers is not: ${kind}`, () => {
					assert.deepEqual(entries(recording.report, at(`whole by ${kind}`)), []);
				});
			}

			it('of a request that is given up before its headers is none: a later request made one of it', () => {
				assert.deepEqual(entries(recording.report, at('given up by fetch')), []);
			});

			it('that the program breaks off is waited for until then, where the client announces that: fetch', () => {
				const [body, ...others] = entries(recording.report, at('broken off by fetch'));
				assert.deepEqual([body?.count, body?.pending, others], [1, 0, []]);
				assertWithin(body!.wait!.totalMs, spansPrinted(recording.text, 'broken off'), 'until it was broken off');
				assert.deepEqual(entries(recording.report, at('broken off by http')), []);
			});
		});
	}
});
