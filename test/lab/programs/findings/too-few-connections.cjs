// Ten questions at once to a pool of two connections. A timer plays the database, so that all else that they wait for is a connection.
const { EventEmitter } = require('node:events');
const Pool = require('pg-pool');

class Client extends EventEmitter {
	_queryable = true;

	connect(done) {
		done();
	}
	query(_text, _values, done) {
		setTimeout(done, 50, null, { rows: [] });
	}
	end(done) {
		done?.();
	}
}

async function main() {
	const pool = new Pool({ Client, max: Number(process.argv[2] ?? 2) });
	// All connections are there, so nobody waits for one to be made.
	const made = [];
	for (let left = pool.options.max; left > 0; left--) made.push(await pool.connect());
	for (const client of made) client.release();
	const ask = () => pool.query('select 1');
	await Promise.all(Array.from({ length: 10 }, ask));
	await pool.end();
}
main();
