// The same, where what takes long has a connection of its own.
const Redis = require('ioredis');
const { Client } = require('pg');
const { startServer: startDatabase } = require('./answers-queries.cjs');
const { startServer: startRedis } = require('./answers-commands.cjs');

async function readsBesideJob() {
	const redis = new Redis(await startRedis());
	const blocking = redis.duplicate();
	await Promise.all([redis.get('warm'), blocking.get('warm')]);
	const job = blocking.blpop('jobs', 0.3);
	await Promise.all(Array.from({ length: 10 }, () => redis.get('settings')));
	await job;
}

async function queriesBesideSlow() {
	const database = await startDatabase();
	const [client, other] = [new Client(database), new Client(database)];
	await Promise.all([client.connect(), other.connect()]);
	const slow = other.query('select /* 300 ms */');
	await client.query('select 2');
	await slow;
}

readsBesideJob()
	.then(queriesBesideSlow)
	.then(() => process.exit());
