// Waits for what generic-pool and MongoDB's driver keep in their pools. Prints how long each was, as far as the program can see it, and how long it must have
// been at least, wherever the machine stopped meanwhile. Leaves one waiting for good.
const net = require('node:net');
const { createPool } = require('generic-pool');
const { MongoClient } = require('mongodb');
const answersAsMongo = require('./answers-as-mongo.cjs');

const HOLDERS = 6;
const SIZE = 2;
const ANSWER_MS = 20;
const now = () => performance.now();

/** Node's timers count whole milliseconds. */
const LEAST_MS = ANSWER_MS - 1;
const PATIENCE_MS = 50;

/** @param due when it is over at the earliest @param by the wait had begun by then */
function report(what, from, due = 0, by = from) {
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms, at least ${(due - by).toFixed(3)} ms`);
}

/** Starts several at once. Each is given when its turn comes at the earliest, since as many of them as fit in at once are answered before. */
function several(start) {
	const since = now();
	const due = (k) => since + Math.floor(k / SIZE) * LEAST_MS;
	return Promise.all(Array.from({ length: HOLDERS }, (_, k) => start(due(k))));
}

async function listen(server) {
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server.address().port;
}

async function asks(pool, due) {
	const from = now();
	const acquiring = pool.acquire(); // one of the pool's
	const by = now();
	const socket = await acquiring;
	report('generic-pool', from, due, by);
	await new Promise((resolve) => {
		socket.once('data', resolve);
		socket.write('?');
	});
	await pool.release(socket);
}

async function uses(pool, due) {
	const from = now();
	// to use one ↓
	const used = pool.use((socket) => {
		report('used', from, due, by);
		return new Promise((resolve) => {
			socket.once('data', resolve);
			socket.write('?');
		});
	});
	const by = now();
	await used;
}

async function timesOut() {
	const pool = createPool(
		{ create: async () => ({}), destroy: async () => undefined },
		{ max: 1, acquireTimeoutMillis: PATIENCE_MS },
	);
	await pool.acquire();
	const from = now();
	const refused = pool.acquire().catch(({ name }) => name); // for as long as it may
	const by = now();
	console.log(await refused);
	report('timed out', from, from + PATIENCE_MS - 1, by);
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
	await several((due) => asks(pool, due));
	await several((due) => uses(pool, due));
	await timesOut();

	/** Of the two connections of which one is made meanwhile, the other is not free before both are there. */
	let ready = Promise.resolve();
	const mongo = answersAsMongo(ANSWER_MS, () => ready);
	const url = `mongodb://127.0.0.1:${await listen(mongo)}/?directConnection=true&maxPoolSize=${SIZE}`;
	const client = new MongoClient(url);
	const collection = client.db('a').collection('b');
	await collection.findOne({});
	ready = new Promise((resolve) => client.once('connectionReady', resolve));
	const since = now();
	let by;
	// All of them wait by then: they ask in the turn in which they are called.
	setImmediate(() => {
		by = now();
	});
	let given = 0;
	client.on('connectionCheckedOut', () => {
		const turns = Math.floor(given++ / SIZE);
		// The driver says it just before it takes what waits out of its queue.
		process.nextTick(() => report('mongodb', since, since + turns * LEAST_MS, by ?? now()));
	});
	await several(() => finds(collection));

	for (let taken = 0; taken < SIZE; taken++) await pool.acquire();
	pool.acquire(); // for good
	setTimeout(() => process.exit(), 100);
}

main();
