// Four want one of two connections, and two of them wait for more than a second: the database is slow, since others are still being answered.
const { Pool } = require('pg');
const { startServer } = require('./answers-queries.cjs');

async function main() {
	const pool = new Pool({ ...(await startServer()), max: 2 });
	async function handle(text) {
		const client = await pool.connect();
		await client.query(text);
		client.release();
	}
	await Promise.all([handle('select 1'), handle('select 1')]);
	for (let i = 0; i < 4; i++) handle('select /* 9000 ms */');
	setTimeout(() => process.exit(), 1500);
}
main();
