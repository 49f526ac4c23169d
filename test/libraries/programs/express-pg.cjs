// A web application over PostgreSQL. Behind each line (→): what it must show (?: at most), `each` for once per round of requests. Arguments:
// rounds, concurrency, connections of the pool. PGPORT names the server's port.
const fs = require('node:fs');
const express = require('express');
const { Pool } = require('pg');
const { load } = require('./load.cjs');

const [rounds, concurrency, connections] = process.argv.slice(2).map(Number);
const pool = new Pool({
	host: '127.0.0.1',
	user: 'postgres',
	database: 'postgres',
	max: connections,
	idleTimeoutMillis: 0,
});
const app = express();
const routes = ['/row', '/rows', '/both', '/client', '/page', '/named'];

// ↓ http.Server request kernel each
app.get('/row', async (_request, response) => {
	const { rows } = await pool.query('select 1 as one'); // → net.Socket.write kernel each
	response.json(rows);
});

// ↓ http.Server request kernel each
app.get('/rows', async (_request, response) => {
	const first = await pool.query('select generate_series(1, 50) as n'); // → net.Socket.write kernel each
	const next = await pool.query('select generate_series($1::int, 60) as n', [first.rows.length]); // → net.Socket.write kernel each
	response.json(next.rows);
});

// ↓ http.Server request kernel each
app.get('/both', async (_request, response) => {
	const both = [
		pool.query('select now()'), // → net.Socket.write kernel each
		pool.query('select version()'), // → net.Socket.write kernel each
	];
	response.json((await Promise.all(both)).map(({ rows }) => rows));
});

// ↓ http.Server request kernel each
app.get('/client', async (_request, response) => {
	const client = await pool.connect(); // ? each
	try {
		await client.query('begin'); // → net.Socket.write kernel each
		const { rows } = await client.query('select 2 as two'); // → net.Socket.write kernel each
		await client.query('commit'); // → net.Socket.write kernel each
		response.json(rows);
	} finally {
		client.release();
	}
});

// ↓ http.Server request kernel each
app.get('/page', (_request, response, next) => {
	// ↓ fs.readFile threadpool each
	fs.readFile(__filename, 'utf8', (error, text) => {
		if (error) return next(error);
		// ↓ net.Socket.write kernel each
		pool.query('select length($1) as length', [text], (failure, result) => {
			if (failure) return next(failure);
			setTimeout(() => response.json(result.rows), 1); // → setTimeout timer each
		});
	});
});

async function named(id) {
	return pool.query({ name: 'by-id', text: 'select $1::int as id', values: [id] }); // → net.Socket.write kernel each
}

// ↓ http.Server request kernel each
app.get('/named', async (_request, response) => {
	const { rows } = await named(7);
	response.json(rows);
});

async function main() {
	// ↓ net.Socket.connect kernel connections; net.Socket.write kernel connections
	const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
	for (const client of clients) client.release();
	const server = app.listen(0, '127.0.0.1', async () => {
		await load({ port: server.address().port, routes, rounds, concurrency });
		server.close();
		await pool.end(); // → net.Socket.write kernel connections
	});
}

main();
