// How long a line waits for a connection that others have, and for its own answer over a shared one, compared with what
// the program itself measures, with real servers.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Line, Report } from '../../src/protocol/report.ts';
import {
	type DatabaseServer,
	missingDatabaseServers,
	startMariadb,
	startPostgres,
	startRedis,
} from '../support/database-servers.ts';
import { nodes } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, assertNear, entries, entry, lineWith, sum } from '../support/report.ts';
import { queuesOf, recordTimed, spansPrinted, type TimedRun, waitsOf } from '../support/truth.ts';

const program = libraryProgram('waits-for-connections.cjs');
/** Five want the connection at once, and the first gets it at once. */
const WAITERS = 4;
/**
 * What the program does between reading the clock and the library's queue, mostly for the first time, and a collection
 * meanwhile.
 */
const OWN_MS = 5;
const missing = missingDatabaseServers();
const skip = missing === null ? false : missing;

/** The entry on the line with that comment, or on the next one (↓). */
function lineAt(report: Report, comment: string, op: string): Line {
	const line = lineWith(program, comment) + (comment.endsWith('↓') ? 1 : 0);
	return entry(report, { file: program, line, op });
}

describe('waits for connections', { skip }, () => {
	let postgres: DatabaseServer | undefined;
	let mariadb: DatabaseServer | undefined;
	let redis: DatabaseServer | undefined;
	before(async () => {
		installLibraries();
		[postgres, mariadb, redis] = await Promise.all([startPostgres(), startMariadb(), startRedis()]);
	});
	after(() => Promise.all([postgres?.close(), mariadb?.close(), redis?.close()]));

	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			let recording: TimedRun;
			before(async () => {
				const ports = { PGPORT: postgres, MYSQLPORT: mariadb, REDISPORT: redis };
				const env = Object.fromEntries(Object.entries(ports).map(([name, server]) => [name, String(server!.port)]));
				recording = await recordTimed(node, [program], { env });
				assertComplete(recording.report);
			});

			for (const library of ['pg', 'mysql2']) {
				it(`for one of a pool of ${library}: as long as the program sees`, () => {
					const { report, text, noCpuMs } = recording;
					const comment = library === 'pg' ? "// pg's pool" : "// mysql2's pool ↓";
					const { wait, run, count, pending } = lineAt(report, comment, 'pool connection');
					// The first one gets what pg has idle, and what mysql2 opens for it: it does not wait for
					// another's.
					const [, ...queued] = waitsOf(spansPrinted(text, `${library} pool`));
					assert.deepEqual([count, pending], [WAITERS, 0]);
					assertNear(wait!.totalMs, sum(queued), 0.1, 'the wait', noCpuMs + OWN_MS);
					assert.equal(wait!.basis, 'measured');
					assert.equal(run, null, 'no code of its own runs: what is sent then has an entry of its own');
				});
			}

			for (const [library, comment, op] of [
				['pg client', "// pg's client", 'connection queue'],
				['mysql2 connection', "// mysql2's connection ↓", 'connection queue'],
				['knex', "// knex's pool", 'pool connection'],
			] as const) {
				it(`for the turn on a busy ${library}: it and the exchange after it are what the program sees`, () => {
					const { report, text, noCpuMs } = recording;
					const turn = lineAt(report, comment, op);
					const exchange = lineAt(report, comment, 'net.Socket.write');
					assert.ok(turn.count >= WAITERS && turn.pending === 0, `${turn.count}`);
					assert.equal(exchange.count, WAITERS + 1);
					const spans = spansPrinted(text, library);
					const seen = sum(waitsOf(spans));
					assertNear(turn.wait!.totalMs + exchange.wait!.totalMs, seen, 0.1, 'both', noCpuMs + OWN_MS);
					const queued = sum(queuesOf(spans, 1));
					assertNear(turn.wait!.totalMs, queued, 0.1, 'four wait for those before them', noCpuMs + OWN_MS);
				});
			}

			it('for the answer of each of several that are under way on a connection of ioredis', () => {
				const { report, text, noCpuMs } = recording;
				const { wait, count } = lineAt(report, '// each answer in its turn', 'net.Socket.write');
				const earlier = lineAt(report, '// each answer in its turn', 'earlier command');
				assert.equal(count, WAITERS + 1);
				// Where an answer may have waited for the loop, nothing is said.
				assert.ok(earlier.count >= 1 && earlier.count <= WAITERS, `${earlier.count} waited for an earlier one`);
				const seen = waitsOf(spansPrinted(text, 'ioredis'));
				const total = wait!.totalMs + earlier.wait!.totalMs;
				assertNear(total, sum(seen), 0.1, 'all of them', noCpuMs + OWN_MS);
				assert.equal(wait!.basis, 'measured');
				assert.equal(earlier.wait!.basis, 'measured');
			});

			it('for the answer to a command that blocks the connection', () => {
				const { report, text, noCpuMs } = recording;
				const blocking = lineAt(report, '// blocks the connection', 'net.Socket.write');
				const seen = sum(waitsOf(spansPrinted(text, 'blpop')));
				assertNear(blocking.wait!.totalMs, seen, 0.1, 'blpop', noCpuMs + OWN_MS);
				const earlier = lineAt(report, '// behind it', 'earlier command');
				const own = lineAt(report, '// behind it', 'net.Socket.write');
				assert.deepEqual([earlier.count, earlier.maxInFlight, own.count], [WAITERS + 1, WAITERS + 1, WAITERS + 1]);
				const behind = sum(waitsOf(spansPrinted(text, 'behind')));
				assertNear(earlier.wait!.totalMs + own.wait!.totalMs, behind, 0.1, 'both', noCpuMs + OWN_MS);
				assert.ok(earlier.wait!.totalMs > own.wait!.totalMs, 'they waited for blpop');
				for (const comment of ['// alone', '// blocks the connection']) {
					const found = entries(report, { file: program, line: lineWith(program, comment), op: 'earlier command' });
					assert.deepEqual(found, [], comment);
				}
			});

			it('for the connection that ioredis is opening', () => {
				const { report, text, noCpuMs } = recording;
				const turn = lineAt(report, '// before there is a connection', 'connection queue');
				const exchange = lineAt(report, '// before there is a connection', 'net.Socket.write');
				assert.deepEqual([turn.count, exchange.count], [1, 1]);
				const seen = sum(waitsOf(spansPrinted(text, 'early')));
				assertNear(turn.wait!.totalMs + exchange.wait!.totalMs, seen, 0.1, 'both', noCpuMs + OWN_MS);
			});

			it('nothing that is sent after another was refused is taken for that one', () => {
				const { report } = recording;
				const line = lineWith(program, '// refused');
				assert.deepEqual(
					report.lines.filter((each) => each.file === program && each.line === line).map(({ op }) => op),
					['connection queue'],
				);
				assert.equal(lineAt(report, '// after the refusal', 'net.Socket.write').count, 1);
			});

			it('what ioredis sends again over another connection is one exchange', () => {
				const { report, text, noCpuMs } = recording;
				const { wait, count, pending } = lineAt(report, '// asked twice', 'net.Socket.write');
				assert.deepEqual([count, pending], [1, 0]);
				assertNear(wait!.totalMs, sum(waitsOf(spansPrinted(text, 'again'))), 0.1, 'the wait', noCpuMs + OWN_MS);
			});

			it('a pipeline waits once', () => {
				const { report } = recording;
				assert.equal(lineAt(report, '; // together', 'connection queue').count, 1);
			});

			it('until its time is over', () => {
				const { report, text, noCpuMs } = recording;
				assert.match(text, /^timeout exceeded/m);
				const { wait, count, pending } = lineAt(report, '// for as long as it may', 'pool connection');
				assert.deepEqual([count, pending], [1, 0]);
				assertNear(wait!.totalMs, sum(waitsOf(spansPrinted(text, 'timed out'))), 0.1, 'the wait', noCpuMs + OWN_MS);
			});

			it('for good: pending', () => {
				const { count, pending } = lineAt(recording.report, '// for good', 'pool connection');
				assert.deepEqual([count, pending], [0, 1]);
			});
		});
	}
});
