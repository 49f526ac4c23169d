// PostgreSQL, MariaDB and Redis on loopback, as Debian packages them: each with a folder of its own, on a free port, ended with the test.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from './scratch.ts';
import { DATABASES, installCommand } from './system.ts';

export interface DatabaseServer {
	port: number;
	close(): Promise<void>;
}

const POSTGRES_FOLDER = '/usr/lib/postgresql';
const MARIADB = '/usr/sbin/mariadbd';
const REDIS = '/usr/bin/redis-server';
/**
 * The servers' ports lie below the range from which the system gives ports to connections and to servers that ask for any: there, another program could take a
 * port before our server does. Each process of tests has ports of its own.
 */
const FIRST_PORT = 10_000;
const PORTS_EACH = 10;
const PROCESSES = 2000;
let asked = 0;
/** All are up within two seconds on two busy cores; this is for one that hangs. */
const START_MS = 120_000;

/** Why there are no database servers here, with the command that installs them; null when there are. */
export function missingDatabaseServers(): string | null {
	const missing = DATABASES.filter((piece) => !piece.isThere());
	return missing.length === 0 ? null : `needs database servers: sudo ${installCommand(missing)}`;
}

/** A server whose user `postgres` needs no password. */
export async function startPostgres(): Promise<DatabaseServer> {
	const [version] = readdirSync(POSTGRES_FOLDER).sort((a, b) => Number(b) - Number(a));
	const programs = join(POSTGRES_FOLDER, version!, 'bin');
	const port = await freePort();
	const folder = scratchFolder('postgres');
	const user = userToRunAs('postgres', folder);
	execFileSync(join(programs, 'initdb'), ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '--no-sync'], {
		...user,
		cwd: folder,
		stdio: 'ignore',
	});
	const args = ['-D', join(folder, 'data'), '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F'];
	return started(spawn(join(programs, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' }), port, 'SIGINT');
}

/** A server that accepts any user without a password: it has no tables of its own, so it has no users. */
export async function startMariadb(): Promise<DatabaseServer> {
	const port = await freePort();
	const folder = scratchFolder('mariadb');
	const user = userToRunAs('nobody', folder);
	const args = ['--no-defaults', '--skip-grant-tables', '--bind-address=127.0.0.1', `--port=${port}`];
	const files = [`--datadir=${folder}`, '--socket=mariadb.sock', '--pid-file=mariadb.pid', '--innodb-log-file-size=4M'];
	const child = spawn(MARIADB, [...args, ...files], { ...user, cwd: folder, stdio: 'ignore' });
	return started(child, port, 'SIGTERM');
}

export async function startRedis(): Promise<DatabaseServer> {
	const port = await freePort();
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
	return started(spawn(REDIS, args, { cwd: scratchFolder('redis'), stdio: 'ignore' }), port, 'SIGTERM');
}

/** Has Redis run during the tests of the suite that calls this. @returns its port, once they run */
export function redisForSuite(): () => string {
	let redis: DatabaseServer | undefined;
	before(async () => {
		redis = await startRedis();
	});
	after(() => redis?.close());
	return () => String(redis!.port);
}

/** PostgreSQL and MariaDB refuse to run as root. */
function userToRunAs(name: string, folder: string): { uid?: number; gid?: number } {
	if (process.getuid?.() !== 0) return {};
	const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
	const user = { uid: id('-u'), gid: id('-g') };
	chownSync(folder, user.uid, user.gid);
	return user;
}

async function started(child: ChildProcess, port: number, signal: NodeJS.Signals): Promise<DatabaseServer> {
	const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
	const kill = () => child.kill('SIGKILL');
	process.on('exit', kill);
	const until = Date.now() + START_MS;
	while (!(await answers(port))) {
		if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}.`);
		if (Date.now() > until) throw new Error(`${child.spawnfile} does not answer on port ${port}.`);
		await sleep(50);
	}
	return {
		port,
		async close() {
			process.off('exit', kill);
			child.kill(signal);
			await ended;
		},
	};
}

function answers(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => {
			socket.destroy();
			resolve(true);
		});
		socket.on('error', () => resolve(false));
	});
}

async function freePort(): Promise<number> {
	for (let tried = 0; tried < PORTS_EACH; tried++) {
		const port = FIRST_PORT + (process.pid % PROCESSES) * PORTS_EACH + (asked++ % PORTS_EACH);
		if (await isFree(port)) return port;
	}
	throw new Error(`All ports are taken that a database server could have, such as ${FIRST_PORT}.`);
}

function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer().on('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
