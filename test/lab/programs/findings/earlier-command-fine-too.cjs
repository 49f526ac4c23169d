// Forty commands of one line at once: the server works on one after the other, over however many connections they come.
const Redis = require('ioredis');
const { startServer } = require('./answers-commands.cjs');

async function main() {
	const redis = new Redis(await startServer());
	await redis.get('warm');
	await Promise.all(Array.from({ length: 40 }, () => redis.getrange('text', 0, 1)));
	process.exit();
}
main();
