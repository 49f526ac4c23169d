// Both connections of a pool are held by others while one line wants one: as the argument says by slow queries, or by transactions that await something else.
const { setTimeout: sleep } = require('node:timers/promises');
const { Pool } = require('pg');
const { startServer } = require('./answers-queries.cjs');

const HOLD = { slow, kept };

async function slow(pool) {
	await pool.query('select /* 200 ms */');
}

async function kept(pool) {
	const client = await pool.connect();
	await client.query('begin');
	await sleep(200);
	await client.query('commit');
	client.release();
}

async function main() {
	const pool = new Pool({ ...(await startServer()), max: 2 });
	await Promise.all([pool.query('select 0'), pool.query('select 0')]);
	const hold = HOLD[process.argv[2]];
	for (let round = 0; round < 4; round++) {
		const held = [hold(pool), hold(pool)];
		await Promise.all([...held, pool.query('select 1')]);
	}
	process.exit();
}
main();
