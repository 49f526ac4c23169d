// Which packages ask something over the connections of a pool: the pool's own, or those of its clients.
import { packageOf } from '../../protocol/blame.ts';
import { AGENT_SOCKET } from '../../protocol/connection-wait.ts';
import type { Line } from '../../protocol/report.ts';

/** The packages that speak over the connections of a pool, where these are others: of knex' pool those that it can use. */
const CLIENTS_OF = new Map([
	['pg-pool', ['pg']],
	['tarn', ['pg', 'mysql', 'mysql2', 'tedious']],
]);
/** A pool of whatever a program makes: who speaks over its connections is unknown. */
export const ANY_CLIENT = 'generic-pool';
/** What is asked over a connection of which no library is known that has requests of its own. */
const EXCHANGE = 'net.Socket.write';
/** Node's HTTP agents, as a pool: which of them a request has is not known. */
export const HTTP_AGENTS = 'node:http';
/** What a request over one of their sockets is called. */
const HTTP_REQUEST = /^https?\.(?:get|request)$/;
export const UNDICI = 'undici';
/** Packages whose connections are in pools of their own. */
const HAS_POOL = new Set(['mongodb', 'mysql2', 'pg', 'redis', '@redis/client', UNDICI]);

/** Whether a package may ask that over the connections of a pool. @param client empty for the program itself */
export function speaksOver(pool: string, client: string, op: string): boolean {
	if (pool === HTTP_AGENTS) return HTTP_REQUEST.test(op);
	if (pool === ANY_CLIENT) return op === EXCHANGE && !HAS_POOL.has(client);
	return (CLIENTS_OF.get(pool) ?? [pool]).includes(client);
}

/** The package whose pool a line waits for, or a line of the package itself; empty where that is unknown. */
export function poolOf({ file, libraries, op }: Pick<Line, 'file' | 'libraries' | 'op'>): string {
	if (op === AGENT_SOCKET) return HTTP_AGENTS;
	return packageOf(libraries[0]?.file ?? file);
}
