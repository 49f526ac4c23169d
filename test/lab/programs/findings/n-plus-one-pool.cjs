// The fault of n-plus-one.cjs over a pool of pg: each request asks for a list and then for each of its ten items; changed, for all items at once.
const { Pool } = require('pg');
const { startServer } = require('./answers-queries.cjs');
const { run } = require('./asks-itself.cjs');

const ITEMS = 10;

async function main() {
	const pool = new Pool({ ...(await startServer()), max: 2 });

	async function serve() {
		await pool.query('select id from items /* 60 ms */');
		let rows = 0;
		for (let id = 0; id < ITEMS; id++) {
			const answer = await pool.query(`select * from items where id = ${id} /* 60 ms */`);
			rows += answer.rowCount;
		}
		return rows;
	}

	async function changed() {
		await pool.query('select id from items /* 60 ms */');
		const answer = await pool.query('select * from items /* 60 ms */');
		return answer.rowCount;
	}

	// The first query opens the connection.
	await pool.query('select 1');
	await run({ serve, changed });
	process.exit();
}

main();
