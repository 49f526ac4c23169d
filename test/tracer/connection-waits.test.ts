// How long a line waits for a connection that others have, beside what the program itself sees of it, with real servers.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Line, Report } from '../../src/protocol/report.ts';
import {
	type DatabaseServer,
	missingDatabaseServers,
	startMariadb,
	startPostgres,
} from '../support/database-servers.ts';
import { nodes } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, assertNear, entry, lineWith, sum } from '../support/report.ts';
import { recordTimed, spansPrinted, type TimedRecording, waitsOf } from '../support/truth.ts';

const program = libraryProgram('waits-for-connections.cjs');
/** Five want the connection at once, and the first gets it at once. */
const WAITERS = 4;
const missing = missingDatabaseServers();
const skip = missing === null ? false : missing;

/** What stands on the line with that comment, or below it (↓). */
function lineAt(report: Report, comment: string, op: string): Line {
	const line = lineWith(program, comment) + (comment.endsWith('↓') ? 1 : 0);
	return entry(report, { file: program, line, op });
}

describe('waits for connections', { skip }, () => {
	let postgres: DatabaseServer | undefined;
	let mariadb: DatabaseServer | undefined;
	before(async () => {
		installLibraries();
		[postgres, mariadb] = await Promise.all([startPostgres(), startMariadb()]);
	});
	after(() => Promise.all([postgres?.close(), mariadb?.close()]));

	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			let recording: TimedRecording;
			before(async () => {
				const env = { PGPORT: String(postgres!.port), MYSQLPORT: String(mariadb!.port) };
				recording = await recordTimed(node, [program], { env });
				assertComplete(recording.report);
			});

			for (const library of ['pg', 'mysql2']) {
				it(`for one of a pool of ${library}: as long as the program sees`, () => {
					const { report, text, noCpuMs } = recording;
					const comment = library === 'pg' ? "// pg's pool" : "// mysql2's pool ↓";
					const { wait, count, pending } = lineAt(report, comment, 'pool connection');
					// The first one gets what pg has idle, and what mysql2 opens for it: it does not wait for somebody else's.
					const [, ...queued] = waitsOf(spansPrinted(text, `${library} pool`));
					assert.deepEqual([count, pending], [WAITERS, 0]);
					assertNear(wait!.totalMs, sum(queued), 0.1, 'the wait', noCpuMs);
					assert.equal(wait!.basis, 'measured');
				});
			}

			for (const [library, comment] of [
				['pg client', "// pg's client"],
				['mysql2 connection', "// mysql2's connection ↓"],
			] as const) {
				it(`for the turn on a busy ${library}: it and the exchange after it are what the program sees`, () => {
					const { report, text, noCpuMs } = recording;
					const turn = lineAt(report, comment, 'connection queue');
					const exchange = lineAt(report, comment, 'net.Socket.write');
					assert.ok(turn.count >= WAITERS && turn.pending === 0, `${turn.count}`);
					assert.equal(exchange.count, WAITERS + 1);
					const seen = sum(waitsOf(spansPrinted(text, library)));
					assertNear(turn.wait!.totalMs + exchange.wait!.totalMs, seen, 0.1, 'both', noCpuMs);
					assert.ok(turn.wait!.totalMs > exchange.wait!.totalMs, 'of five, four wait for those before them');
				});
			}

			it('until its time is over', () => {
				const { report, text, noCpuMs } = recording;
				assert.match(text, /^timeout exceeded/m);
				const { wait, count, pending } = lineAt(report, '// for as long as it may', 'pool connection');
				assert.deepEqual([count, pending], [1, 0]);
				assertNear(wait!.totalMs, sum(waitsOf(spansPrinted(text, 'timed out'))), 0.1, 'the wait', noCpuMs);
			});

			it('for good: pending', () => {
				const { count, pending } = lineAt(recording.report, '// for good', 'pool connection');
				assert.deepEqual([count, pending], [0, 1]);
			});
		});
	}
});
