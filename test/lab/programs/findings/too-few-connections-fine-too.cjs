// Four questions to a pool of two connections: two have to wait, for less time in all than the answers take.
const { Pool } = require('pg');
const { startServer } = require('./answers-queries.cjs');

async function main() {
	const pool = new Pool({ ...(await startServer()), max: 2 });
	await Promise.all([pool.query('select 0'), pool.query('select 0')]);
	await Promise.all(Array.from({ length: 4 }, () => pool.query('select /* 200 ms */')));
	process.exit();
}
main();
