// Two at a time want one of two connections, and each gives it back. Then one keeps a connection for long, and nobody waits for it.
const { Pool } = require('pg');
const { startServer } = require('./answers-queries.cjs');

async function main() {
	const pool = new Pool({ ...(await startServer()), max: 2 });
	async function handle() {
		const client = await pool.connect();
		await client.query('select 1');
		client.release();
	}
	await Promise.all([handle(), handle()]);
	await Promise.all([handle(), handle()]);
	const client = await pool.connect();
	await client.query('select 1');
	setTimeout(() => process.exit(), 1500);
}
main();
