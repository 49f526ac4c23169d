// The fault of serial-loop.cjs over a pool of pg with four connections: changed, the eight items take two rounds.
const { Pool } = require('pg');
const { startServer } = require('./answers-queries.cjs');
const { run } = require('./asks-itself.cjs');

const IDS = [1, 2, 3, 4, 5, 6, 7, 8];

async function main() {
	const pool = new Pool({ ...(await startServer()), max: 4 });

	async function serve() {
		const counts = [];
		for (const id of IDS) {
			const answer = await pool.query('select * from items where id = $1 /* 100 ms */', [id]);
			counts.push(answer.rowCount);
		}
		return counts;
	}

	async function changed() {
		const answers = IDS.map((id) => pool.query('select * from items where id = $1 /* 100 ms */', [id]));
		return (await Promise.all(answers)).map(({ rowCount }) => rowCount);
	}

	// Opens all connections.
	await Promise.all([1, 2, 3, 4].map(() => pool.query('select /* 50 ms */')));
	await run({ serve, changed });
	process.exit();
}

main();
