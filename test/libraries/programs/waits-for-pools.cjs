// Waits for what generic-pool and MongoDB's driver keep in their pools. Prints how long each was, as far as the program can see it, and leaves one waiting for
// good in each.
const net = require('node:net');
const { createPool } = require('generic-pool');
const { MongoClient } = require('mongodb');
const answersAsMongo = require('./answers-as-mongo.cjs');

const HOLDERS = 6;
const SIZE = 2;
const ANSWER_MS = 20;
const now = () => performance.now();

function report(what, from) {
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms`);
}

const several = (start) => Promise.all(Array.from({ length: HOLDERS }, start));

async function listen(server) {
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server.address().port;
}

async function asks(pool) {
	const from = now();
	const socket = await pool.acquire(); // one of the pool's
	report('generic-pool', from);
	await new Promise((resolve) => {
		socket.once('data', resolve);
		socket.write('?');
	});
	await pool.release(socket);
}

async function uses(pool) {
	const from = now();
	// to use one ↓
	await pool.use((socket) => {
		report('used', from);
		return new Promise((resolve) => {
			socket.once('data', resolve);
			socket.write('?');
		});
	});
}

async function timesOut() {
	const pool = createPool(
		{ create: async () => ({}), destroy: async () => undefined },
		{ max: 1, acquireTimeoutMillis: 50 },
	);
	await pool.acquire();
	const from = now();
	await pool.acquire().catch(({ name }) => console.log(name)); // for as long as it may
	report('timed out', from);
}

async function finds(collection) {
	await collection.findOne({}); // finds
}

async function main() {
	const slow = net.createServer((socket) => {
		socket.on('data', () => setTimeout(() => socket.write('!'), ANSWER_MS));
	});
	const port = await listen(slow);
	const create = () =>
		new Promise((resolve) => {
			const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
		});
	const pool = createPool({ create, destroy: async (socket) => socket.destroy() }, { max: SIZE });
	await several(() => asks(pool));
	await several(() => uses(pool));
	await timesOut();

	const mongo = answersAsMongo(ANSWER_MS);
	const url = `mongodb://127.0.0.1:${await listen(mongo)}/?directConnection=true&maxPoolSize=${SIZE}`;
	const client = new MongoClient(url);
	const collection = client.db('a').collection('b');
	await collection.findOne({});
	// The driver itself measures how long each waited.
	client.on('connectionCheckedOut', ({ durationMS }) => report('mongodb', now() - durationMS));
	await several(() => finds(collection));

	for (let taken = 0; taken < SIZE; taken++) await pool.acquire();
	pool.acquire(); // for good
	setTimeout(() => process.exit(), 100);
}

main();
