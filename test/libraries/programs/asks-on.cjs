// Asks servers over connections that it has open, until a debugger ends it; counts what each line asks. PGPORT, MYSQLPORT and
// REDISPORT name the servers' ports.
const http = require('node:http');
const net = require('node:net');
const Redis = require('ioredis');
const mysql = require('mysql2');
const { Pool } = require('pg');

const counts = { pg: 0, mysql: 0, redis: 0, socket: 0, http: 0, fetch: 0 };
globalThis.counts = counts;
globalThis.ends = false;
const host = '127.0.0.1';
const pool = new Pool({ host, user: 'postgres', database: 'postgres', max: 2 });
const connection = mysql.createConnection({ host, user: 'root', port: Number(process.env.MYSQLPORT) });
const redis = new Redis({ host, port: Number(process.env.REDISPORT) });
const echo = net.createServer((socket) => socket.pipe(socket));
const server = http.createServer((_request, response) => response.end('answer'));
const agent = new http.Agent({ keepAlive: true });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function ask(socket) {
	return new Promise((resolve) => {
		socket.once('data', resolve);
		counts.socket++;
		socket.write('question'); // socket
	});
}

function request(port) {
	return new Promise((resolve, reject) => {
		counts.http++;
		const asked = http.get({ host, port, agent }, (response) => response.resume().on('end', resolve)); // http
		asked.on('error', reject);
	});
}

async function round(socket, port) {
	counts.pg++;
	await pool.query('select 1'); // pg
	await new Promise((resolve) => {
		counts.mysql++;
		connection.query('select 1', resolve); // mysql
	});
	counts.redis++;
	await redis.ping(); // redis
	await ask(socket);
	await request(port);
	counts.fetch++;
	const response = await fetch(`http://${host}:${port}/`); // fetch
	await response.text();
	await sleep(5);
}

echo.listen(0, host, () => {
	server.listen(0, host, async () => {
		const socket = net.connect(echo.address().port, host);
		while (!globalThis.ends) await round(socket, server.address().port);
		console.log(JSON.stringify(counts));
		process.exit();
	});
});
