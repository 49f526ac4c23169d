// Ten reads over a connection of ioredis that waits for a job, and a query over a client of pg that is busy with a slow one.
const Redis = require('ioredis');
const { Client } = require('pg');
const { startServer: startDatabase } = require('./answers-queries.cjs');
const { startServer: startRedis } = require('./answers-commands.cjs');

async function readsBehindJob() {
	const redis = new Redis(await startRedis());
	// A wait counts once it is ten times as long as the fastest of these.
	for (let k = 0; k < 20; k++) await redis.get('warm');
	const job = redis.blpop('jobs', 0.3);
	await Promise.all(Array.from({ length: 10 }, () => redis.get('settings')));
	await job;
}

async function queriesBehindSlow() {
	const client = new Client(await startDatabase());
	await client.connect();
	const slow = client.query('select /* 300 ms */');
	await client.query('select 2');
	await slow;
}

readsBehindJob()
	.then(queriesBehindSlow)
	.then(() => process.exit());
