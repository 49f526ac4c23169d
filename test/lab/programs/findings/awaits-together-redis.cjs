// The fault of awaits-together.cjs with Redis: each request reads three keys one after the other; changed, all at once, over the same connection. The
// server is as far away as one in another part of the world: each answer comes 150 ms after its command, and does not wait for those before.
const net = require('node:net');
const Redis = require('ioredis');
const { run } = require('./asks-itself.cjs');

const AWAY_MS = 150;

async function main() {
	const server = net.createServer((socket) => {
		socket.setNoDelay();
		// What is written at once may be several commands: each begins with the number of its parts.
		socket.on('data', (data) => {
			const commands = data.toString('latin1').match(/\*\d+\r\n/g)?.length ?? 0;
			setTimeout(() => socket.write('$-1\r\n'.repeat(commands)), AWAY_MS);
		});
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address();
	const redis = new Redis({ host: '127.0.0.1', port, enableReadyCheck: false, disableClientInfo: true });

	async function serve() {
		const user = await redis.get('user');
		const orders = await redis.lrange('orders', 0, -1);
		const news = await redis.hgetall('news');
		return [user, orders, news];
	}

	async function changed() {
		return Promise.all([redis.get('user'), redis.lrange('orders', 0, -1), redis.hgetall('news')]);
	}

	// The first command opens the connection.
	await redis.get('user');
	await run({ serve, changed });
	process.exit();
}

main();
