// A web application over PostgreSQL. Behind each line (→): what it must show, with its count per round of requests. Arguments: rounds,
// concurrency, connections of the pool. PGPORT names the server's port.
const fs = require('node:fs');
const express = require('express');
const { Pool } = require('pg');
const { load } = require('./load.cjs');

const [rounds, concurrency, connections] = process.argv.slice(2).map(Number);
const pool = new Pool({ host: '127.0.0.1', user: 'postgres', database: 'postgres', max: connections });
const app = express();
const routes = ['/row', '/rows', '/both', '/client', '/page', '/named'];

app.get('/row', async (_request, response) => {
	const { rows } = await pool.query('select 1 as one'); // → net.Socket.write kernel 1
	response.json(rows);
});

app.get('/rows', async (_request, response) => {
	const first = await pool.query('select generate_series(1, 50) as n'); // → net.Socket.write kernel 1
	const next = await pool.query('select generate_series($1::int, 60) as n', [first.rows.length]); // → net.Socket.write kernel 1
	response.json(next.rows);
});

app.get('/both', async (_request, response) => {
	const both = [
		pool.query('select now()'), // → net.Socket.write kernel 1
		pool.query('select version()'), // → net.Socket.write kernel 1
	];
	response.json((await Promise.all(both)).map(({ rows }) => rows));
});

app.get('/client', async (_request, response) => {
	const client = await pool.connect();
	try {
		await client.query('begin'); // → net.Socket.write kernel 1
		const { rows } = await client.query('select 2 as two'); // → net.Socket.write kernel 1
		await client.query('commit'); // → net.Socket.write kernel 1
		response.json(rows);
	} finally {
		client.release();
	}
});

app.get('/page', (_request, response, next) => {
	// ↓ fs.readFile threadpool 1
	fs.readFile(__filename, 'utf8', (error, text) => {
		if (error) return next(error);
		// ↓ net.Socket.write kernel 1
		pool.query('select length($1) as length', [text], (failure, result) => {
			if (failure) return next(failure);
			setTimeout(() => response.json(result.rows), 1); // → setTimeout timer 1
		});
	});
});

async function named(id) {
	return pool.query({ name: 'by-id', text: 'select $1::int as id', values: [id] }); // → net.Socket.write kernel 1
}

app.get('/named', async (_request, response) => {
	const { rows } = await named(7);
	response.json(rows);
});

async function main() {
	const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
	for (const client of clients) client.release();
	const server = app.listen(0, '127.0.0.1', async () => {
		await load({ port: server.address().port, routes, rounds, concurrency });
		server.close();
		await pool.end();
	});
}

main();
