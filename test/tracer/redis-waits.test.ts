// Commands of node-redis, each with an answer of its own: behind earlier ones, before there is a connection, and over a pool; compared with what the program
// itself measures, with a real server.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Line } from '../../src/protocol/report.ts';
import { missingDatabaseServers, redisForSuite } from '../support/database-servers.ts';
import { nodesOfLibraries } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, entries, entry, lineWith, sum } from '../support/report.ts';
import { assertWithin, spansPrinted } from '../support/truth.ts';
import { type RecordedRun, record } from '../support/waitline.ts';

const program = libraryProgram('shares-redis.cjs');
const COMMANDS = 5;
/** On this Node the program stays until what has no answer has had none for long enough that it may never have one. */
const LONG = 24;
const LONG_MS = 1500;
const missing = missingDatabaseServers();

describe('waits of node-redis', { skip: missing ?? false }, () => {
	before(installLibraries);
	const redisPort = redisForSuite();

	for (const node of nodesOfLibraries()) {
		describe(`on Node ${node.major}`, () => {
			let recording: RecordedRun;
			before(async () => {
				const env = { REDISPORT: redisPort(), STAYS_MS: String(node.major === LONG ? LONG_MS : 50) };
				recording = await record(node, [program], { env });
				assertComplete(recording.report);
			});
			const found = (comment: string, op: string): Line[] =>
				entries(recording.report, { file: program, line: lineWith(program, comment), op });
			const lineAt = (comment: string, op: string): Line =>
				entry(recording.report, {
					file: program,
					line: lineWith(program, comment) + (comment.endsWith('↓') ? 1 : 0),
					op,
				});
			const total = (...lines: Line[]) => sum(lines.map(({ wait }) => wait!.totalMs));
			/** Compares what the report says with what the program saw, which has the turn in which a command is written besides. */
			function assertSeen(lines: Line[], printed: string, comment: string): void {
				assertWithin(total(...lines), spansPrinted(recording.text, printed), comment);
			}

			it('for the answer of each of several that share the connection, behind those before them', () => {
				const exchange = lineAt('// each answer in its turn', 'net.Socket.write');
				const earlier = lineAt('// each answer in its turn', 'earlier command');
				assert.equal(exchange.count, COMMANDS);
				assert.ok(earlier.count >= 1 && earlier.count < COMMANDS, `${earlier.count} waited for an earlier one`);
				assertSeen([exchange, earlier], 'shared', '// each answer in its turn');
				assert.equal(earlier.wait!.basis, 'measured');
			});

			it('for the answer to a command that blocks the connection', () => {
				assertSeen([lineAt('// blocks the connection', 'net.Socket.write')], 'blocks', '// blocks the connection');
				assert.deepEqual(found('// blocks the connection', 'earlier command'), []);
				const earlier = lineAt('// behind it', 'earlier command');
				const own = lineAt('// behind it', 'net.Socket.write');
				assert.deepEqual([earlier.count, own.count], [COMMANDS, COMMANDS]);
				assertSeen([earlier, own], 'behind', '// behind it');
			});

			it('a transaction is one exchange', () => {
				const exchange = lineAt('// together', 'net.Socket.write');
				assert.equal(exchange.count, 1);
				assertSeen([exchange], 'together', '// together');
			});

			for (const [comment, printed] of [
				['// before there is a connection', 'early'],
				['// until it is connected again', 'again'],
			] as const) {
				it(`for the connection: ${comment.slice('// '.length)}`, () => {
					const turn = lineAt(comment, 'connection queue');
					const exchange = lineAt(comment, 'net.Socket.write');
					assert.deepEqual([turn.count, exchange.count], [1, 1]);
					assertSeen([turn, exchange], printed, comment);
				});
			}

			it('what is never answered is over with its connection', () => {
				const { count, pending } = lineAt('// never answered', 'net.Socket.write');
				assert.deepEqual([count, pending], [1, 0]);
				assertSeen([lineAt('// never answered', 'net.Socket.write')], 'lost', '// never answered');
			});

			it("for a pool's only client: it and the exchange after it are what the program sees", () => {
				const turn = lineAt('// over the pool', 'pool connection');
				const exchange = lineAt('// over the pool', 'net.Socket.write');
				assert.deepEqual([turn.count, turn.pending, exchange.count], [COMMANDS - 1, 0, COMMANDS]);
				assertSeen([turn, exchange], 'pool', '// over the pool');
				assert.deepEqual(found('// over the pool', 'connection queue'), []);
			});

			it("for a pool's only client, to do more with it", () => {
				const turn = lineAt('// for a client of the pool ↓', 'pool connection');
				assert.equal(turn.count, COMMANDS - 1);
				assertSeen([turn], 'waited', '// for a client of the pool ↓');
				assert.equal(lineAt('// with a client of the pool', 'net.Socket.write').count, COMMANDS);
			});

			it('a client that the pool makes for a line is no wait for others', () => {
				assert.deepEqual(found('// over a new connection', 'pool connection'), []);
				assert.equal(lineAt('// over a new connection', 'net.Socket.write').count, COMMANDS);
			});

			it('behind a command that has no answer yet', { skip: node.major !== LONG }, () => {
				const { count, pending, maxInFlight } = lineAt('// behind what has no answer', 'earlier command');
				assert.deepEqual([count, pending, maxInFlight], [0, COMMANDS, COMMANDS]);
				assert.deepEqual(found('// behind what has no answer', 'net.Socket.write'), []);
				assert.equal(lineAt('// has no answer', 'net.Socket.write').pending, 1);
				const line = lineWith(program, '// behind what has no answer');
				const finding = recording.report.findings.find((each) => each.line === line);
				assert.equal(finding?.code, 'earlier-command');
				assert.equal(finding.cause?.line, lineWith(program, '// has no answer'));
				const { pending: waiting, unansweredMs } = finding.evidence as Record<string, number>;
				assert.equal(waiting, COMMANDS);
				assert.ok(unansweredMs! >= LONG_MS && unansweredMs! <= recording.report.processes[0]!.durationMs);
			});

			it('for good: pending', () => {
				const { count, pending } = lineAt('// for good', 'pool connection');
				assert.deepEqual([count, pending], [0, 1]);
			});
		});
	}
});
