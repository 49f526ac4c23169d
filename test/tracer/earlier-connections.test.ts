// A program has connections to servers open already when the tracer is attached: what it sends over them from then on
// is counted on the lines that send, as many as the program counts.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LiveSession } from '../../src/host/sessions/live-session.ts';
import {
	type DatabaseServer,
	missingDatabaseServers,
	startMariadb,
	startPostgres,
	startRedis,
} from '../support/database-servers.ts';
import { Inspected } from '../support/inspector.ts';
import { nodes } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { lineWith } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';

const PROGRAM = libraryProgram('asks-on.cjs');
const COUNTS = '({ ...globalThis.counts })';
const ROUNDS = 20;
/** How each line sends, by its comment. */
const ASKED = {
	pg: 'net.Socket.write',
	mysql: 'net.Socket.write',
	redis: 'net.Socket.write',
	socket: 'net.Socket.write',
	http: 'http.get',
	fetch: 'fetch',
};
type Counts = Record<keyof typeof ASKED, number>;

const missing = missingDatabaseServers();
const skip = missing === null ? false : missing;

describe('connections that were open before', { skip }, () => {
	let servers: DatabaseServer[] = [];
	before(async () => {
		installLibraries();
		servers = await Promise.all([startPostgres(), startMariadb(), startRedis()]);
	});
	after(() => Promise.all(servers.map((server) => server.close())));

	/** Waits until some more rounds are over. */
	async function goOn(program: Inspected): Promise<void> {
		const asked = async () => ((await program.evaluate(COUNTS)) as Partial<Counts> | undefined)?.fetch ?? 0;
		const from = await asked();
		while ((await asked()) < from + ROUNDS);
	}

	for (const node of nodes()) {
		it(`are used by the lines that send, on Node ${node.major}`, async () => {
			const [PGPORT = '', MYSQLPORT = '', REDISPORT = ''] = servers.map(({ port }) => String(port));
			const session = await LiveSession.start({ folder: scratchFolder() });
			const program = await Inspected.start(node, [PROGRAM], { PGPORT, MYSQLPORT, REDISPORT });
			try {
				await goOn(program);
				const from = (await program.attachTracer(session.folder, COUNTS)) as Counts;
				await goOn(program);
				await program.evaluate('globalThis.ends = true');
				assert.equal(await program.end(), 0);
				const to = JSON.parse(program.stdout) as Counts;
				const { lines } = await session.stop();
				for (const key of Object.keys(ASKED) as (keyof Counts)[]) {
					const shown = lines.filter(({ file, line }) => file === PROGRAM && line === lineWith(PROGRAM, `; // ${key}`));
					assert.deepEqual([...new Set(shown.map(({ op }) => op))], [ASKED[key]], key);
					const seen = shown.reduce((sum, { count, pending }) => sum + count + pending, 0);
					// The program may be interrupted between its count and what it counts.
					assert.ok(
						Math.abs(seen - (to[key] - from[key])) <= 1,
						`${key}: ${seen} reported, ${to[key] - from[key]} sent`,
					);
				}
			} finally {
				program.kill();
				await session.remove();
			}
		});
	}
});
