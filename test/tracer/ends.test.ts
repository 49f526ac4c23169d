// Operations that end in another way than by their callback: each is finished or dropped in the report, none is pending for ever.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Report } from '../../src/protocol/report.ts';
import { loopbackCertificate } from '../support/certificate.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, entries, lineWith } from '../support/report.ts';
import { record } from '../support/waitline.ts';

const program = join(tracerPrograms, 'ends-operations.cjs');

/** By the comment on the line: its operation, and how many of it finish; the others are dropped. */
const ENDS: Record<string, { op: string; count: number }> = {
	'// a spawn that fails': { op: 'child_process.spawn', count: 1 },
	'// spawns that fail later': { op: 'child_process.spawn', count: 2 },
	'// an execFile that fails': { op: 'child_process.execFile', count: 1 },
	'// a spawn that succeeds': { op: 'child_process.spawn', count: 1 },
	'// an upgrade': { op: 'http.get', count: 1 },
	'// a tunnel': { op: 'http.request', count: 1 },
	'// an aborted fetch': { op: 'fetch', count: 1 },
	'// a destroyed request': { op: 'http.get', count: 1 },
	'// a destroyed socket': { op: 'net.Socket.write', count: 1 },
	'// only sent': { op: 'net.Socket.write', count: 0 },
	'// received by a listener that comes later': { op: 'net.Socket.write', count: 1 },
	'// sends a file': { op: 'ServerHttp2Stream.respondWithFile', count: 6 },
	'// a cleared immediate': { op: 'setImmediate', count: 0 },
	'// a cleared timer': { op: 'setTimeout', count: 0 },
	'// a timer without a reference': { op: 'setTimeout', count: 0 },
};

/** Servers' requests, two each, whose handler is on the line below the comment. */
const SERVED = [
	'// served requests ↓',
	'// served requests over TLS ↓',
	'// served streams ↓',
	'// streams of a lost session ↓',
	'// streams of a session over TLS ↓',
];

// Node announces requests differently from 22.12 on, and no failure of one on 18: that one is dropped.
for (const node of nodes().filter(({ major }) => [18, 20, 24, 26].includes(major))) {
	describe(`on Node ${node.major}`, () => {
		let report: Report;
		before(async () => {
			const certificate = JSON.stringify(loopbackCertificate());
			({ report } = await record(node, [program], { env: { CERTIFICATE: certificate } }));
			assertComplete(report);
		});

		for (const [comment, { op, count: announced }] of Object.entries(ENDS)) {
			const count = node.major === 18 && comment === '// a destroyed request' ? 0 : announced;
			it(comment.slice('// '.length), () => {
				const found = entries(report, { file: program, line: lineWith(program, comment), op });
				assert.deepEqual(
					found.map((line) => [line.count, line.pending]),
					count === 0 ? [] : [[count, 0]],
				);
			});
		}

		it('a WebSocket, and one that is refused', { skip: node.major < 22 }, () => {
			for (const comment of ['// a WebSocket, answered', '// a WebSocket, refused']) {
				const found = entries(report, { file: program, line: lineWith(program, `; ${comment}`), op: 'WebSocket' });
				assert.deepEqual(
					found.map((line) => [line.count, line.pending]),
					[[1, 0]],
					comment,
				);
			}
		});

		const hasExecve = node.major >= 24 && process.platform !== 'win32';
		it('a process in which another program took its place: nobody has killed it', { skip: !hasExecve }, async () => {
			const replaced = await record(node, ['-e', "process.execve('/bin/true', ['true'], process.env)"]);
			assert.equal(replaced.code, 0);
			assert.deepEqual(
				replaced.report.processes.map(({ end, signal }) => [end, signal]),
				[['not-recorded', null]],
			);
		});

		for (const comment of SERVED) {
			it(`${comment.slice('// '.length, -2)}: one is answered, and the other is closed early`, () => {
				const line = lineWith(program, comment) + 1;
				const routes = report.requests.filter((route) => route.file === program && route.line === line);
				assert.deepEqual(
					routes.map((route) => [route.count, route.pending, route.closedEarly]),
					[[1, 0, 1]],
				);
			});
		}

		it('nothing else is pending', () => {
			assert.deepEqual(
				report.lines.filter(({ pending }) => pending > 0).map(({ line, op }) => `${line} ${op}`),
				[],
			);
		});
	});
}
