// Four want one of two connections. Those who get one ask something and never give it back: the others wait for good.
const { Pool } = require('pg');
const { startServer } = require('./answers-queries.cjs');

async function main() {
	const pool = new Pool({ ...(await startServer()), max: 2 });
	async function handle() {
		const client = await pool.connect();
		await client.query('select 1');
	}
	for (let i = 0; i < 4; i++) handle();
	// Somebody waits for more than a second.
	setTimeout(() => process.exit(), 1500);
}
main();
