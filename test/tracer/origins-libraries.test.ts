// Origins in programs as people write them, over libraries and real servers: each operation on the line that started
// it. The programs are not those that the predictor was tuned on. `npm run bench origins` runs more of it on all
// versions.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
	type DatabaseServer,
	missingDatabaseServers,
	startMariadb,
	startPostgres,
	startRedis,
} from '../support/database-servers.ts';
import { type NodeBuild, nodes, nodesOfLibraries } from '../support/nodes.ts';
import { compareOrigins, installLibraries, libraryProgram, type Origins } from '../support/origins.ts';
import type { Outcome } from '../support/process.ts';
import { assertComplete, known } from '../support/report.ts';
import { bare, record, traced } from '../support/waitline.ts';

const ROUNDS = 50;
const CONCURRENCY = 10;
const missing = missingDatabaseServers();
const skip = missing === null ? false : missing;

function assertRight({ expected, right, unresolved, wrong, wrongCount }: Origins): void {
	assert.deepEqual({ right, unresolved }, { right: expected, unresolved: 0 }, wrong.join('\n'));
	assert.ok(wrongCount <= expected / 1000, wrong.join('\n'));
}

describe('origins over libraries', () => {
	let postgres: DatabaseServer | undefined;
	let mariadb: DatabaseServer | undefined;
	let redis: DatabaseServer | undefined;
	before(async () => {
		installLibraries();
		if (missing !== null) return;
		[postgres, mariadb, redis] = await Promise.all([startPostgres(), startMariadb(), startRedis()]);
	});
	after(() => Promise.all([postgres?.close(), mariadb?.close(), redis?.close()]));

	const ports = () => ({
		PGPORT: String(postgres!.port),
		MYSQLPORT: String(mariadb!.port),
		REDISPORT: String(redis!.port),
	});

	async function overPool(node: NodeBuild, name: string, connections: number) {
		const program = libraryProgram(name);
		const { report } = await record(node, [program, ROUNDS, CONCURRENCY, connections].map(String), { env: ports() });
		assertComplete(report);
		return { report, origins: compareOrigins(report, program, { each: ROUNDS, connections }) };
	}

	for (const node of nodesOfLibraries()) {
		for (const [library, program] of [
			['mysql2', 'mysql-pool.cjs'],
			['node-redis', 'redis-pool.cjs'],
		] as const) {
			it(`a pool of ${library} on Node ${node.major}: each exchange on the line that sent it`, { skip }, async () => {
				const { report, origins } = await overPool(node, program, 2 * CONCURRENCY);
				assert.deepEqual(origins.wrong, []);
				assertRight(origins);
				const unknown = report.lines.filter(({ wait }) => wait?.basis === 'unknown');
				assert.deepEqual(unknown, [], 'a connection of a pool is asked one thing at a time');
			});
		}

		for (const [library, program] of [
			['mysql2', 'mysql-pool.cjs'],
			['pg', 'express-pg.cjs'],
		] as const) {
			it(`a pool of ${library} with too few connections on Node ${node.major}: each exchange on the line that had to wait`, {
				skip,
			}, async () => {
				const { origins } = await overPool(node, program, 2);
				assertRight(origins);
			});
		}

		it(`a pool of node-redis with too few connections on Node ${node.major}: nothing on a line that did not send it`, {
			skip,
		}, async () => {
			const { origins } = await overPool(node, 'redis-pool.cjs', 2);
			assert.deepEqual(origins.wrong, [], 'such as that of who gave a connection back');
			assert.equal(origins.right + origins.unresolved, origins.expected);
			assert.ok(origins.unresolved > ROUNDS, 'the pool was too small');
		});

		it(`HTTP clients on Node ${node.major}: no request on the line whose answer came before it`, async () => {
			const program = libraryProgram('http-clients.cjs');
			const { report } = await record(node, [program, ROUNDS, CONCURRENCY].map(String));
			assertRight(compareOrigins(report, program, { each: ROUNDS }));
		});

		it(`one connection for many on Node ${node.major}: each query on the line that had to wait`, { skip }, async () => {
			const program = libraryProgram('one-connection.cjs');
			const { report } = await record(node, [program, String(ROUNDS)], { env: ports() });
			assertRight(compareOrigins(report, program, { each: ROUNDS }));
		});

		it(`a look at pools in which something waits on Node ${node.major}: the same as without Waitline`, {
			skip,
		}, async () => {
			const command = [libraryProgram('looks-into-pools.cjs')];
			const said = ({ code, stdout, stderr }: Outcome) => ({ code, stdout: `${stdout}`, stderr: `${stderr}` });
			const without = said(await bare(node, command, { env: ports() }));
			assert.match(
				without.stdout,
				/^Error: acquired 3(.|\n)*^Error: enqueued(.|\n)*^Error: incremented(.|\n)*^the end$/m,
			);
			assert.deepEqual(said(await traced(node, command, { env: ports() })), without);
		});
	}

	for (const node of nodes().filter(({ major }) => major === 20 || major === 24)) {
		it(`Express over PostgreSQL on Node ${node.major}: all queries on their lines`, { skip }, async () => {
			const program = libraryProgram('express-pg.cjs');
			const args = [program, ROUNDS, CONCURRENCY, 2 * CONCURRENCY].map(String);
			const { report } = await record(node, args, { env: ports() });
			assertRight(compareOrigins(report, program, { each: ROUNDS, connections: 2 * CONCURRENCY }));
			assertComplete(report);
			const queries = report.lines.filter(({ op, file }) => op === 'net.Socket.write' && file === program);
			for (const { line, libraries } of queries) {
				assert.ok(libraries.length > 0, `line ${line} names the library's line`);
				for (const { file } of libraries) assert.match(file, /node_modules\/pg\//);
			}
		});

		it(`Fastify over Redis on Node ${node.major}: all commands on their lines`, { skip }, async () => {
			const program = libraryProgram('fastify-ioredis.cjs');
			const args = [program, ROUNDS, CONCURRENCY].map(String);
			const { report } = await record(node, args, { env: ports() });
			assertRight(compareOrigins(report, program, { each: ROUNDS }));
			assertComplete(report);
			// Before ioredis has made its queue, it asks twice for itself, and one answer of the socket may be to both.
			const own = report.lines.filter(({ file }) => file === program);
			const unknown = own.filter(({ wait }) => wait?.basis === 'unknown');
			assert.deepEqual(unknown, [], 'each answer is known, though all share one connection');
		});

		it(`an add-on's work on Node ${node.major}: named as the add-on names it, and taken for jobs of the pool`, async () => {
			const program = libraryProgram('hashes-passwords.cjs');
			const { report } = await record(node, [program]);
			const { right, expected, wrong } = compareOrigins(report, program, {});
			assert.deepEqual({ right, wrong }, { right: expected, wrong: [] });
			const assumed = (op: string) =>
				report.lines.filter((line) => line.op === op).map(({ assumesAddonJobs }) => assumesAddonJobs);
			assert.deepEqual(assumed('crypto.pbkdf2'), [false, true]);
			assert.deepEqual(assumed('bcrypt:EncryptAsyncWorker'), [true]);
			// Four threads are taken by four hashes, so the job after them has queued until the first of these was done. How long each took is up to the machine.
			const [, behind] = report.lines.filter(({ op }) => op === 'crypto.pbkdf2');
			assert.ok(known(behind!, 'queue').totalMs > 0, JSON.stringify(behind));
		});

		it(`a pool that only an add-on uses on Node ${node.major}: has the size that was asked for`, async () => {
			const { report } = await record(node, [libraryProgram('hashes-alone.cjs')], { env: { UV_THREADPOOL_SIZE: '2' } });
			assert.deepEqual([report.processes[0]!.poolSize, report.pools[0]!.size], [2, 2]);
		});

		it(`fetch and streams on Node ${node.major}: all on their lines`, async () => {
			const program = libraryProgram('fetch-streams.cjs');
			const { report } = await record(node, [program, String(ROUNDS), String(CONCURRENCY)]);
			assertRight(compareOrigins(report, program, { each: ROUNDS }));
			assertComplete(report);
		});
	}
});
