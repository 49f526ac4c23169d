// Waits for connections that others have: a pool's only one, and the turn on one that is busy. Prints how long each wait was, as far as
// the program can see it, and how long it must have been at least, wherever the machine stopped meanwhile: what it waits for begins no sooner than `since`.
// Leaves one query waiting for good. PGPORT, MYSQLPORT and REDISPORT name the servers' ports.
const net = require('node:net');
const Redis = require('ioredis');
const knexOf = require('knex');
const { Client, Pool } = require('pg');
const mysql = require('mysql2');

// pg warns of queries that wait in a client.
process.noDeprecation = true;
const postgres = { host: '127.0.0.1', user: 'postgres', database: 'postgres' };
const mariadb = { host: '127.0.0.1', user: 'root', port: Number(process.env.MYSQLPORT) };
const HOLDERS = 5;
/** How long a server works on each, in ms; and the least that this is where its clock or its timer is not exact. */
const HOLD_MS = 20;
const LEAST_MS = 19;
/** The same of what Redis works on: much longer than its answer takes otherwise, and long enough that no stop of the machine outlasts several. */
const WORK_MS = 50;
/** And of how long it blocks. */
const BLOCK_MS = 600;
const LEAST_BLOCK_MS = 595;
/** How long one waits at most. */
const PATIENCE_MS = 100;
const now = () => performance.now();

/** @param due when it is over at the earliest @param by the wait had begun by then */
function report(what, from, due = 0, by = from) {
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms, at least ${(due - by).toFixed(3)} ms`);
}

async function holdsClient(pool, since, before) {
	const from = now();
	const connecting = pool.connect(); // pg's pool
	const by = now();
	const client = await connecting;
	report('pg pool', from, since + before * LEAST_MS, by);
	await client.query(`select pg_sleep(${HOLD_MS / 1000})`);
	client.release();
}

function holdsConnection(pool, since, before) {
	const from = now();
	return new Promise((resolve, reject) => {
		// mysql2's pool ↓
		pool.getConnection((error, connection) => {
			report('mysql2 pool', from, since + before * LEAST_MS, by);
			if (error) return reject(error);
			connection.query(`select sleep(${HOLD_MS / 1000})`, () => {
				connection.release();
				resolve();
			});
		});
		const by = now();
	});
}

async function asksClient(client, since, before) {
	const from = now();
	const asked = client.query(`select pg_sleep(${HOLD_MS / 1000})`); // pg's client
	const by = now();
	await asked;
	report('pg client', from, since + (before + 1) * LEAST_MS, by);
}

function asksConnection(connection, since, before) {
	const from = now();
	return new Promise((resolve) => {
		// mysql2's connection ↓
		connection.query(`select sleep(${HOLD_MS / 1000})`, () => {
			report('mysql2 connection', from, since + (before + 1) * LEAST_MS, by);
			resolve();
		});
		const by = now();
	});
}

async function asksKnex(knex, since, before) {
	const from = now();
	let by;
	// It asks once it is awaited, in the same turn.
	setImmediate(() => {
		by = now();
	});
	await knex.raw(`select pg_sleep(${HOLD_MS / 1000})`); // knex's pool
	report('knex', from, since + (before + 1) * LEAST_MS, by ?? now());
}

/** Of a wait for others nothing is said where the way to the server and back may be most of it. */
async function showsSpeed(redis) {
	for (let n = 0; n < HOLDERS; n++) await redis.get('none');
}

/** The server works on one after the other. */
const WORK = `
local function now() local t = redis.call('time') return t[1] * 1000000 + t[2] end
local till = now() + ${WORK_MS * 1000}
while now() < till do end
return 1`;

async function asksRedis(redis, since, before) {
	const from = now();
	const asked = redis.eval(WORK, 0); // each answer in its turn
	const by = now();
	await asked;
	report('ioredis', from, since + (before + 1) * WORK_MS, by);
}

/** The first of its commands waits on the server, and the others behind it. */
async function asksBehind(redis) {
	await redis.get('none'); // alone
	const from = now();
	const due = from + LEAST_BLOCK_MS;
	const blocked = redis.blpop('none', BLOCK_MS / 1000); // blocks the connection
	const by = now();
	const blocking = blocked.then(() => report('blpop', from, due, by));
	await several(async () => {
		const sent = now();
		const asked = redis.get('none'); // behind it
		const sentBy = now();
		await asked;
		report('behind', sent, due, sentBy);
	});
	await blocking;
}

async function asksEarly(redis) {
	const from = now();
	await redis.ping(); // before there is a connection
	report('early', from);
}

/** What is refused before it is asked, and then something else in the same turn. */
async function refuses(redis) {
	const server = net.createServer((socket) =>
		socket.on('data', (commands) => {
			for (const _ of String(commands).matchAll(/^\*/gm)) socket.write('-ERR not you\r\n');
		}),
	);
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const refused = new Redis({ host: '127.0.0.1', port: server.address().port, retryStrategy: null });
	refused.on('error', () => undefined);
	try {
		await refused.get('none'); // refused
	} catch {
		await redis.set('refused', 1); // after the refusal
	}
	refused.disconnect();
	server.close();
}

/** What is asked again over another connection. */
async function asksAgain(redis, other) {
	// Whether the server's end is read as one or as a reset is up to the kernel; ioredis prints a reset that nobody listens for.
	redis.on('error', () => undefined);
	const id = await redis.client('ID');
	const from = now();
	const answered = redis.blpop('none', BLOCK_MS / 1000); // asked twice
	const by = now();
	await other.client('KILL', 'ID', id);
	await answered;
	report('again', from, from + LEAST_BLOCK_MS, by);
}

function asksTogether() {
	const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.REDISPORT) });
	const commands = redis.pipeline();
	for (let k = 0; k < 10; k++) commands.get('none');
	return commands.exec().then(() => redis.quit()); // together
}

/** Starts several at once. Each is given when that was, and how many are before it. */
function several(start) {
	const since = now();
	return Promise.all(Array.from({ length: HOLDERS }, (_, before) => start(since, before)));
}

async function timesOut(pool) {
	const client = await pool.connect();
	// Only from now on: how long a connection takes to open is up to the machine.
	pool.options.connectionTimeoutMillis = PATIENCE_MS;
	const from = now();
	const asked = pool.query('select 1').catch(({ message }) => message); // for as long as it may
	const by = now();
	const refused = await asked;
	// Node's timers count whole milliseconds.
	report('timed out', from, from + PATIENCE_MS - 1, by);
	console.log(refused);
	client.release();
}

async function main() {
	const pool = new Pool({ ...postgres, max: 1 });
	(await pool.connect()).release();
	await several((...when) => holdsClient(pool, ...when));

	const client = new Client(postgres);
	await client.connect();
	await several((...when) => asksClient(client, ...when));
	await client.end();

	const knex = knexOf({ client: 'pg', connection: postgres, pool: { min: 0, max: 1 } });
	await knex.raw('select 1');
	await several((...when) => asksKnex(knex, ...when));
	await knex.destroy();

	const connections = mysql.createPool({ ...mariadb, connectionLimit: 1 });
	await several((...when) => holdsConnection(connections, ...when));
	await connections.promise().end();

	const connection = mysql.createConnection(mariadb);
	await several((...when) => asksConnection(connection, ...when));
	await connection.promise().end();

	const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.REDISPORT) });
	await asksEarly(redis);
	await showsSpeed(redis);
	await several((...when) => asksRedis(redis, ...when));
	await asksBehind(redis);
	await refuses(redis);
	const other = new Redis({ host: '127.0.0.1', port: Number(process.env.REDISPORT) });
	await asksAgain(redis, other);
	await asksTogether();
	await Promise.all([redis.quit(), other.quit()]);

	const impatient = new Pool({ ...postgres, max: 1 });
	await timesOut(impatient);
	await impatient.end();

	// Never given back.
	await pool.connect();
	pool.query('select 1'); // for good
	setTimeout(() => process.exit(), 100);
}

main();
