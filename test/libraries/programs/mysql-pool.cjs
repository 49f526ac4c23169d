// Jobs over a pool of MariaDB connections, one after another and at once. Behind each line (→): what it must show (?: at most), `each` for once per
// round of jobs. Arguments: rounds, concurrency, connections of the pool. MYSQLPORT names the server's port. mysql2 answers the server's
// greeting for itself (library: connections).
const mysql = require('mysql2/promise');
const { together } = require('./together.cjs');

const [rounds, concurrency, connections] = process.argv.slice(2).map(Number);
const pool = mysql.createPool({
	host: '127.0.0.1',
	user: 'root',
	port: Number(process.env.MYSQLPORT),
	connectionLimit: connections,
});

async function row() {
	const [[{ one }]] = await pool.query('select 1 as one'); // → net.Socket.write kernel each
	return one;
}

async function rows() {
	const [first] = await pool.query('select 1 as n union select 2'); // → net.Socket.write kernel each
	await pool.query('select ? as n', [first.length]); // → net.Socket.write kernel each
}

async function both() {
	await Promise.all([
		pool.query('select now()'), // → net.Socket.write kernel each
		pool.query('select version()'), // → net.Socket.write kernel each
	]);
}

async function client() {
	const connection = await pool.getConnection(); // ? each
	try {
		await connection.beginTransaction(); // → net.Socket.write kernel each
		await connection.query('select 2 as two'); // → net.Socket.write kernel each
		await connection.commit(); // → net.Socket.write kernel each
	} finally {
		connection.release();
	}
}

function callback() {
	return new Promise((resolve, reject) => {
		// ↓ net.Socket.write kernel each
		pool.pool.query('select 3 as three', (error) => {
			if (error) return reject(error);
			setTimeout(resolve, 1); // → setTimeout timer each
		});
	});
}

async function prepared() {
	await pool.execute('select ? as id', [7]); // → net.Socket.write kernel each
}

async function main() {
	// ↓ net.connect kernel connections
	const clients = await Promise.all(Array.from({ length: connections }, () => pool.getConnection()));
	for (const connection of clients) {
		await connection.prepare('select ? as id'); // → net.Socket.write kernel connections
		connection.release();
	}
	await together([row, rows, both, client, callback, prepared], rounds, concurrency);
	await pool.end(); // → net.Socket.write kernel connections
}

main();
