// Four want one of two connections. Those who get one ask something and never give it back: the others wait for good.
const { Pool } = require('pg');
const { startServer } = require('./answers-queries.cjs');

async function main() {
	const pool = new Pool({ ...(await startServer()), max: 2 });
	async function handle() {
		const client = await pool.connect();
		await client.query('select 1');
	}
	const handled = [1, 2, 3, 4].map(handle);
	// The first two have their connections. From their answers on, nothing is asked for more than a second, however slow the start was.
	await Promise.all(handled.slice(0, 2));
	setTimeout(() => process.exit(), 1500);
}
main();
