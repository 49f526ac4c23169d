// Waits for a reader that is slow, compared with what the program itself measures.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Line } from '../../src/protocol/report.ts';
import { loopbackCertificate } from '../support/certificate.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, entries, lineWith } from '../support/report.ts';
import { assertWithin, spansPrinted } from '../support/truth.ts';
import { type RecordedRun, record } from '../support/waitline.ts';

const program = join(tracerPrograms, 'writes-to-slow-readers.cjs');

/** By the comment on the line: what the program prints of it. */
const WAITS: Record<string, string> = {
	'// to a slow reader': 'tcp',
	'// of a response': 'http',
	'// ended at once': 'ended',
	'// to a child': 'child',
	'// much over TLS': 'tls',
	'// by HTTPS': 'secure response',
};

for (const node of nodes()) {
	describe(`waits for a slow reader on Node ${node.major}`, () => {
		let recording: RecordedRun;
		before(async () => {
			const env = { CERTIFICATE: JSON.stringify(loopbackCertificate()) };
			recording = await record(node, [program], { env });
			assertComplete(recording.report);
		});
		const readers = (comment: string): Line[] =>
			entries(recording.report, { file: program, line: lineWith(program, comment), op: 'reader' });

		for (const [comment, printed] of Object.entries(WAITS)) {
			it(`${comment.slice('// '.length)}: on the line that wrote`, () => {
				const found = readers(comment);
				assert.deepEqual(
					found.map((line) => [line.class, line.count > 0, line.pending]),
					[['kernel', true, 0]],
				);
				assertWithin(found[0]!.wallMs, spansPrinted(recording.text, printed), 'under way');
			});
		}

		for (const comment of ['// little over TLS', '// to a fast reader over TLS', '// before the handshake']) {
			it(`${comment.slice('// '.length)}: none`, () => assert.deepEqual(readers(comment), []));
		}
	});
}
