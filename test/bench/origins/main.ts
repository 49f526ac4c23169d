// Whether operations are on the lines that started them: programs over libraries and real servers, on every Node
// version, at length and with the predictor on. Prints Markdown; progress goes to stderr.
import { missingDatabaseServers, startMariadb, startPostgres, startRedis } from '../../support/database-servers.ts';
import { installNodes, nodes } from '../../support/nodes.ts';
import { compareOrigins, installLibraries, libraryProgram, type Origins } from '../../support/origins.ts';
import { record } from '../../support/waitline.ts';

const ROUNDS = 500;
const CONCURRENCY = 20;

interface Load {
	title: string;
	program: string;
	/** Connections of the program's pool, where it has one. */
	connections?: number;
	needsServers: boolean;
}

const loads: Load[] = [
	{ title: 'Express over PostgreSQL', program: 'express-pg.cjs', connections: 2 * CONCURRENCY, needsServers: true },
	{ title: 'the same, 4 connections for 20 requests', program: 'express-pg.cjs', connections: 4, needsServers: true },
	{ title: 'a mysql2 pool', program: 'mysql-pool.cjs', connections: 2 * CONCURRENCY, needsServers: true },
	{ title: 'the same, 4 connections for 20 jobs', program: 'mysql-pool.cjs', connections: 4, needsServers: true },
	{ title: 'one connection of pg, one of mysql2', program: 'one-connection.cjs', needsServers: true },
	{ title: 'Fastify over Redis', program: 'fastify-ioredis.cjs', needsServers: true },
	{ title: 'a node-redis pool', program: 'redis-pool.cjs', connections: 2 * CONCURRENCY, needsServers: true },
	{ title: '`fetch` and streams', program: 'fetch-streams.cjs', needsServers: false },
	{ title: 'HTTP clients from npm', program: 'http-clients.cjs', needsServers: false },
];

function row({ title }: Load, major: number, { expected, right, unresolved, wrong, wrongCount }: Origins): string {
	const percent = (count: number) => `${((100 * count) / expected).toFixed(2)} %`;
	const resolved = percent(expected - unresolved);
	const rightOfResolved = `${((100 * right) / (right + wrongCount)).toFixed(2)} %`;
	return `| ${title} | ${major} | ${expected} | ${resolved} | ${rightOfResolved} | ${wrong.join('<br>') || 'none'} |`;
}

installNodes();
installLibraries();
const missing = missingDatabaseServers();
const servers = missing === null ? await Promise.all([startPostgres(), startMariadb(), startRedis()]) : [];
const [postgres, mariadb, redis] = servers;
console.log(`${ROUNDS} requests of each route or job, ${CONCURRENCY} at a time. "Resolved": on a line of the program. The rest is on a
library's line, or on the server's: who asked is not known. "Right": of what is resolved, on
the line that asked, under the name that it called.
`);
if (missing !== null) console.log(`Without PostgreSQL, MariaDB and Redis: ${missing}.\n`);
console.log('| program | Node | operations | resolved | right | wrong lines |\n|---|---|---|---|---|---|');
for (const load of loads) {
	if (load.needsServers && missing !== null) continue;
	for (const node of nodes()) {
		console.error(`${load.title}, Node ${node.major}`);
		const program = libraryProgram(load.program);
		const args = [program, ROUNDS, CONCURRENCY, load.connections ?? 0].map(String);
		const env = {
			PGPORT: String(postgres?.port),
			MYSQLPORT: String(mariadb?.port),
			REDISPORT: String(redis?.port),
		};
		const { report } = await record(node, args, { env });
		const origins = compareOrigins(report, program, { each: ROUNDS, connections: load.connections ?? 0 });
		console.log(row(load, node.major, origins));
	}
}
await Promise.all(servers.map((server) => server.close()));
