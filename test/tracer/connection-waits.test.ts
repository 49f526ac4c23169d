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
import { nodesOfLibraries } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, entries, entry, lineWith, sum } from '../support/report.ts';
import { assertBetween, assertWithin, spansPrinted, waitsOf } from '../support/truth.ts';
import { type RecordedRun, record } from '../support/waitline.ts';

const program = libraryProgram('waits-for-connections.cjs');
/** Five want the connection at once, and the first gets it at once. */
const WAITERS = 4;
/** For how long the databases work on each, ms: at least, where their timers are not as exact. */
const HELD_MS = 19;
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

	for (const node of nodesOfLibraries()) {
		describe(`on Node ${node.major}`, () => {
			let recording: RecordedRun;
			before(async () => {
				const ports = { PGPORT: postgres, MYSQLPORT: mariadb, REDISPORT: redis };
				const env = Object.fromEntries(Object.entries(ports).map(([name, server]) => [name, String(server!.port)]));
				recording = await record(node, [program], { env });
				assertComplete(recording.report);
			});

			for (const library of ['pg', 'mysql2']) {
				it(`for one of a pool of ${library}: as long as the program sees`, () => {
					const { report, text } = recording;
					const comment = library === 'pg' ? "// pg's pool" : "// mysql2's pool ↓";
					const { wait, run, count, pending } = lineAt(report, comment, 'pool connection');
					// The first one gets what pg has idle, and what mysql2 opens for it: it does not wait for
					// another's.
					const [, ...queued] = spansPrinted(text, `${library} pool`);
					assert.deepEqual([count, pending], [WAITERS, 0]);
					assertWithin(wait!.totalMs, queued, 'the wait');
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
					const { report, text } = recording;
					const turn = lineAt(report, comment, op);
					const exchange = lineAt(report, comment, 'net.Socket.write');
					assert.ok(turn.count >= WAITERS && turn.pending === 0, `${turn.count}`);
					assert.equal(exchange.count, WAITERS + 1);
					const spans = spansPrinted(text, library);
					assertWithin(turn.wait!.totalMs + exchange.wait!.totalMs, spans, 'both');
					const worked = HELD_MS * (WAITERS + 1);
					const queued = sum(spans.map(({ least }) => Math.max(0, least - HELD_MS)));
					assertBetween(turn.wait!.totalMs, queued, sum(waitsOf(spans)) - worked, 'four wait for those before them');
				});
			}

			it('for the answer of each of several that are under way on a connection of ioredis', () => {
				const { report, text } = recording;
				const { wait, count } = lineAt(report, '// each answer in its turn', 'net.Socket.write');
				const earlier = lineAt(report, '// each answer in its turn', 'earlier command');
				assert.equal(count, WAITERS + 1);
				// Where an answer may have waited for the loop, nothing is said.
				assert.ok(earlier.count >= 1 && earlier.count <= WAITERS, `${earlier.count} waited for an earlier one`);
				assertWithin(wait!.totalMs + earlier.wait!.totalMs, spansPrinted(text, 'ioredis'), 'all of them');
				assert.equal(wait!.basis, 'measured');
				assert.equal(earlier.wait!.basis, 'measured');
			});

			it('for the answer to a command that blocks the connection', () => {
				const { report, text } = recording;
				const blocking = lineAt(report, '// blocks the connection', 'net.Socket.write');
				assertWithin(blocking.wait!.totalMs, spansPrinted(text, 'blpop'), 'blpop');
				const earlier = lineAt(report, '// behind it', 'earlier command');
				const own = lineAt(report, '// behind it', 'net.Socket.write');
				assert.deepEqual([earlier.count, earlier.maxInFlight, own.count], [WAITERS + 1, WAITERS + 1, WAITERS + 1]);
				const behind = spansPrinted(text, 'behind');
				assertWithin(earlier.wait!.totalMs + own.wait!.totalMs, behind, 'both');
				assertWithin(earlier.wait!.totalMs, behind, 'they waited for blpop');
				for (const comment of ['// alone', '// blocks the connection']) {
					const found = entries(report, { file: program, line: lineWith(program, comment), op: 'earlier command' });
					assert.deepEqual(found, [], comment);
				}
			});

			it('for the connection that ioredis is opening', () => {
				const { report, text } = recording;
				const turn = lineAt(report, '// before there is a connection', 'connection queue');
				const exchange = lineAt(report, '// before there is a connection', 'net.Socket.write');
				assert.deepEqual([turn.count, exchange.count], [1, 1]);
				assertWithin(turn.wait!.totalMs + exchange.wait!.totalMs, spansPrinted(text, 'early'), 'both');
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
				const { report, text } = recording;
				const { wait, count, pending } = lineAt(report, '// asked twice', 'net.Socket.write');
				assert.deepEqual([count, pending], [1, 0]);
				assertWithin(wait!.totalMs, spansPrinted(text, 'again'), 'the wait');
			});

			it('a pipeline waits once', () => {
				const { report } = recording;
				assert.equal(lineAt(report, '; // together', 'connection queue').count, 1);
			});

			it('until its time is over', () => {
				const { report, text } = recording;
				assert.match(text, /^timeout exceeded/m);
				const { wait, count, pending } = lineAt(report, '// for as long as it may', 'pool connection');
				assert.deepEqual([count, pending], [1, 0]);
				assertWithin(wait!.totalMs, spansPrinted(text, 'timed out'), 'the wait');
			});

			it('for good: pending', () => {
				const { count, pending } = lineAt(recording.report, '// for good', 'pool connection');
				assert.deepEqual([count, pending], [0, 1]);
			});
		});
	}
});
