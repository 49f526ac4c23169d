// Jobs over a pool of Redis clients, one after another and at once. Behind each line (→): what it must show, `each` for once per
// round of jobs: a command, and the immediate in which node-redis writes it. Arguments: rounds, concurrency, clients of the pool.
// REDISPORT names the server's port.
const { createClientPool } = require('redis');
const { together } = require('./together.cjs');

const [rounds, concurrency, connections] = process.argv.slice(2).map(Number);
const pool = createClientPool(
	{ socket: { host: '127.0.0.1', port: Number(process.env.REDISPORT) } },
	{ minimum: connections, maximum: connections },
);

async function get() {
	return pool.get('key'); // → net.Socket.write kernel each; setImmediate loop each
}

async function counter() {
	const count = await pool.incr('counter'); // → net.Socket.write kernel each; setImmediate loop each
	await pool.set(`counter:${count % 10}`, count); // → net.Socket.write kernel each; setImmediate loop each
}

async function both() {
	await Promise.all([
		pool.get('key'), // → net.Socket.write kernel each; setImmediate loop each
		pool.hGetAll('hash'), // → net.Socket.write kernel each; setImmediate loop each
	]);
}

async function transaction() {
	const commands = pool.multi().get('key').incr('counter').hSet('hash', 'field', 'value');
	await commands.exec(); // → net.Socket.write kernel each; setImmediate loop each
}

async function push(one) {
	await one.lPush('list', 'text'); // → net.Socket.write kernel each; setImmediate loop each
	await one.lTrim('list', 0, 9); // → net.Socket.write kernel each; setImmediate loop each
}

async function client() {
	await pool.execute(push); // ? each
}

async function main() {
	// Each client says twice who it is.
	// ↓ net.connect kernel connections; net.Socket.write kernel connections 2
	await pool.connect();
	await together([get, counter, both, transaction, client], rounds, concurrency);
	await pool.close();
}

main();
