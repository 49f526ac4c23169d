// Queries of several lines at once over one connection of each library, which asks them one after another. Behind each line (→): what it
// must show. Arguments: rounds. PGPORT and MYSQLPORT name the servers' ports. Each library speaks for itself while it connects
// (library: 1).
const { Client } = require('pg');
const mysql = require('mysql2');

// pg warns of such use.
process.noDeprecation = true;
const rounds = Number(process.argv[2]);

function first(client) {
	return client.query('select 1 as one'); // → net.Socket.write kernel each
}

function second(client) {
	return client.query('select $1::int as two', [2]); // → net.Socket.write kernel each
}

function third(connection, done) {
	connection.query('select 3 as three', done); // → net.Socket.write kernel each
}

function fourth(connection, done) {
	connection.query('select 4 as four', done); // → net.Socket.write kernel each
}

/** What is asked in an answer's callback is sent after what waited before. */
function fifth(client) {
	const last = new Promise((resolve, reject) => {
		// ↓ net.Socket.write kernel each
		client.query('select 5 as five', () => {
			// ↓ net.Socket.write kernel each
			client.query('select 6 as six', (error) => (error ? reject(error) : resolve()));
		});
	});
	return Promise.all([last, client.query('select 7 as seven')]); // → net.Socket.write kernel each
}

async function postgres(client) {
	await client.connect(); // → net.Socket.connect kernel 1; net.Socket.write kernel 1
	for (let round = 0; round < rounds; round += 10) {
		const queries = [];
		for (let each = 0; each < 10; each++) queries.push(each % 3 === 0 ? second(client) : first(client));
		for (let each = 0; each < 10; each++) queries.push(each % 3 === 0 ? first(client) : second(client));
		await Promise.all(queries);
	}
	for (let round = 0; round < rounds; round++) await fifth(client);
}

function mariadb() {
	// ↓ net.connect kernel 1
	const connection = mysql.createConnection({ host: '127.0.0.1', user: 'root', port: Number(process.env.MYSQLPORT) });
	return new Promise((resolve, reject) => {
		let left = 2 * rounds;
		const done = (error) => {
			if (error) reject(error);
			else if (--left === 0) connection.end(resolve); // → net.Socket.write kernel 1
		};
		for (let round = 0; round < rounds; round++) {
			third(connection, done);
			fourth(connection, done);
		}
	});
}

async function main() {
	const client = new Client({ host: '127.0.0.1', user: 'postgres', database: 'postgres' });
	await postgres(client);
	await mariadb();
	await client.end(); // → net.Socket.write kernel 1
}

main();
