// Waits for connections that others have: a pool's only one, and the turn on one that is busy. Prints how long each wait was, as far as
// the program can see it, and leaves one query waiting for good. PGPORT, MYSQLPORT and REDISPORT name the servers' ports.
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
const now = () => performance.now();

function report(what, from) {
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms`);
}

async function holdsClient(pool) {
	const from = now();
	const client = await pool.connect(); // pg's pool
	report('pg pool', from);
	await client.query('select pg_sleep(0.02)');
	client.release();
}

function holdsConnection(pool) {
	const from = now();
	return new Promise((resolve, reject) => {
		// mysql2's pool ↓
		pool.getConnection((error, connection) => {
			report('mysql2 pool', from);
			if (error) return reject(error);
			connection.query('select sleep(0.02)', () => {
				connection.release();
				resolve();
			});
		});
	});
}

async function asksClient(client) {
	const from = now();
	await client.query('select pg_sleep(0.02)'); // pg's client
	report('pg client', from);
}

function asksConnection(connection) {
	const from = now();
	return new Promise((resolve) => {
		// mysql2's connection ↓
		connection.query('select sleep(0.02)', () => {
			report('mysql2 connection', from);
			resolve();
		});
	});
}

async function asksKnex(knex) {
	const from = now();
	await knex.raw('select pg_sleep(0.02)'); // knex's pool
	report('knex', from);
}

/** The server works on one after the other. */
const WORK = `
local function now() local t = redis.call('time') return t[1] * 1000000 + t[2] end
local till = now() + 20000
while now() < till do end
return 1`;

async function asksRedis(redis) {
	const from = now();
	await redis.eval(WORK, 0); // each answer in its turn
	report('ioredis', from);
}

/** The first of its commands waits on the server, and the others behind it. */
async function asksBehind(redis) {
	await redis.get('none'); // alone
	const from = now();
	const blocking = redis.blpop('none', 0.3).then(() => report('blpop', from)); // blocks the connection
	await several(async () => {
		const sent = now();
		await redis.get('none'); // behind it
		report('behind', sent);
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
	const answered = redis.blpop('none', 0.3); // asked twice
	await other.client('KILL', 'ID', id);
	await answered;
	report('again', from);
}

function asksTogether() {
	const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.REDISPORT) });
	const commands = redis.pipeline();
	for (let k = 0; k < 10; k++) commands.get('none');
	return commands.exec().then(() => redis.quit()); // together
}

const several = (start) => Promise.all(Array.from({ length: HOLDERS }, start));

async function timesOut(pool) {
	const client = await pool.connect();
	const from = now();
	const refused = await pool.query('select 1').catch(({ message }) => message); // for as long as it may
	report('timed out', from);
	console.log(refused);
	client.release();
}

async function main() {
	const pool = new Pool({ ...postgres, max: 1 });
	(await pool.connect()).release();
	await several(() => holdsClient(pool));

	const client = new Client(postgres);
	await client.connect();
	await several(() => asksClient(client));
	await client.end();

	const knex = knexOf({ client: 'pg', connection: postgres, pool: { min: 0, max: 1 } });
	await knex.raw('select 1');
	await several(() => asksKnex(knex));
	await knex.destroy();

	const connections = mysql.createPool({ ...mariadb, connectionLimit: 1 });
	await several(() => holdsConnection(connections));
	await connections.promise().end();

	const connection = mysql.createConnection(mariadb);
	await several(() => asksConnection(connection));
	await connection.promise().end();

	const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.REDISPORT) });
	await asksEarly(redis);
	await several(() => asksRedis(redis));
	await asksBehind(redis);
	await refuses(redis);
	const other = new Redis({ host: '127.0.0.1', port: Number(process.env.REDISPORT) });
	await asksAgain(redis, other);
	await asksTogether();
	await Promise.all([redis.quit(), other.quit()]);

	// The time also has to suffice for the pool's connection, on a busy machine too.
	const impatient = new Pool({ ...postgres, max: 1, connectionTimeoutMillis: 500 });
	await timesOut(impatient);
	await impatient.end();

	// Never given back.
	await pool.connect();
	pool.query('select 1'); // for good
	setTimeout(() => process.exit(), 100);
}

main();
