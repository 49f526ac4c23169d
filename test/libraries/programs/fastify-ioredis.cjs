// A web application over Redis: one connection that all requests share. Behind each line (→): what it must show, `each` for once per
// round of requests. Arguments: rounds, concurrency. REDISPORT names the server's port. Whether the server is ready, and who it is,
// ioredis asks for itself (library: 2).
const { createHash } = require('node:crypto');
const fastify = require('fastify');
const Redis = require('ioredis');
const { load } = require('./load.cjs');

const [rounds, concurrency] = process.argv.slice(2).map(Number);
// ↓ net.connect kernel 1; fs.promises.readFile threadpool 1; net.Socket.write kernel 1
const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.REDISPORT) });
const app = fastify();
const routes = ['/get', '/counter', '/both', '/pipeline', '/list', '/work'];

// ↓ http.Server request kernel each
app.get('/get', async () => {
	const value = await redis.get('key'); // → net.Socket.write kernel each
	return { value };
});

// ↓ http.Server request kernel each
app.get('/counter', async () => {
	const count = await redis.incr('counter'); // → net.Socket.write kernel each
	await redis.set(`counter:${count % 10}`, count); // → net.Socket.write kernel each
	return { count };
});

// ↓ http.Server request kernel each
app.get('/both', async () => {
	const both = [
		redis.get('key'), // → net.Socket.write kernel each
		redis.hgetall('hash'), // → net.Socket.write kernel each
	];
	return Promise.all(both);
});

// ↓ http.Server request kernel each
app.get('/pipeline', async () => {
	const commands = redis.pipeline().get('key').incr('counter').hset('hash', 'field', 'value');
	return commands.exec(); // → net.Socket.write kernel each
});

// ↓ http.Server request kernel each
app.get('/list', (_request, reply) => {
	// ↓ net.Socket.write kernel each
	redis.lpush('list', 'text', (error, length) => {
		if (error) return reply.send(error);
		redis.ltrim('list', 0, 9).then(() => reply.send({ length })); // → net.Socket.write kernel each
	});
});

async function cached(key, make) {
	const known = await redis.get(key); // → net.Socket.write kernel each
	if (known !== null) return known;
	return redis.set(key, make());
}

// ↓ http.Server request kernel each
app.get('/work', async () => {
	await new Promise((resolve) => setImmediate(resolve)); // → setImmediate loop each
	return { hash: await cached('hash of a', () => createHash('sha256').update('a').digest('hex')) };
});

async function main() {
	await new Promise((resolve) => redis.once('ready', resolve));
	await redis.set('hash of a', 'known'); // → net.Socket.write kernel 1
	await app.listen({ port: 0, host: '127.0.0.1' });
	await load({ port: app.server.address().port, routes, rounds, concurrency });
	await app.close();
	await redis.quit(); // → net.Socket.write kernel 1
}

main();
