// Says what can be seen of pools in which something waits for a connection: stacks, properties, what becomes of methods that are replaced.
// It must be the same under Waitline. PGPORT, MYSQLPORT and REDISPORT name the servers'
// ports.
const http = require('node:http');
const { mock } = require('node:test');
const { inspect } = require('node:util');
const { Queue, Worker } = require('bullmq');
const Redis = require('ioredis');
const mysql = require('mysql2');
const { createPool } = require('generic-pool');
const knexOf = require('knex');
const { Pool } = require('pg');
const { createClient, createClientPool } = require('redis');
const undici = require('undici');

Error.stackTraceLimit = 50;
const postgres = { host: '127.0.0.1', user: 'postgres', database: 'postgres', max: 1 };

function stack(what) {
	console.log(new Error(what).stack);
}

async function looksAtPg() {
	const pool = new Pool(postgres);
	let acquired = 0;
	pool.on('acquire', () => {
		if (++acquired < 4) stack(`acquired ${acquired}`);
	});
	const queries = [1, 2, 3].map((n) => pool.query('select $1::int as n', [n]).then(({ rows }) => rows[0].n));
	queries.push(pool.query('selec 4').catch(({ stack }) => stack));
	pool.connect((error, _client, release) => {
		stack(`connected ${error}`);
		release();
	});
	console.log(
		'waiting',
		pool.waitingCount,
		inspect(pool._pendingQueue),
		Object.keys(pool),
		Object.keys(pool._pendingQueue),
	);
	for (const of in pool._pendingQueue) console.log('in the queue', of);
	console.log(await Promise.all(queries));
	const { connect } = pool;
	console.log(
		connect === Pool.prototype.connect,
		connect.name,
		connect.length,
		String(connect).slice(0, 12),
		'connect' in pool,
	);
	for (let of = pool; of !== null; of = Object.getPrototypeOf(of)) {
		const { connect, query } = Object.getOwnPropertyDescriptors(of);
		console.log(connect, query, Object.keys(of).length);
	}
	await mocks(pool);
	await behindProxy(pool);

	pool.connect = function replaced(...args) {
		console.log('replaced', args.length);
		return connect.apply(this, args);
	};
	console.log(Object.getOwnPropertyDescriptor(pool, 'connect'));
	await pool.query('select 5');
	delete pool.connect;
	console.log(pool.connect === connect);
	Pool.prototype.connect = function wrapped(...args) {
		console.log('wrapped', args.length);
		return connect.apply(this, args);
	};
	console.log(Object.getOwnPropertyDescriptor(Pool.prototype, 'connect'), Object.keys(Pool.prototype));
	await Promise.all([pool.query('select 6'), pool.query('select 7')]);
	await pool.end();
}

async function mocks(pool) {
	const { mock: ofPool } = mock.method(pool, 'query');
	await pool.query('select 11');
	const client = await pool.connect();
	const { mock: ofClient } = mock.method(client, 'query', async () => 'mocked');
	console.log(await client.query('select 12'), ofClient.callCount(), ofPool.callCount());
	mock.restoreAll();
	client.release();
}

async function behindProxy(pool) {
	const traps = {};
	for (const name of Object.getOwnPropertyNames(Reflect)) {
		traps[name] = (target, key, ...rest) => {
			console.log('trap', name, key);
			return Reflect[name](target, key, ...rest);
		};
	}
	const proxy = new Proxy(pool, traps);
	await Promise.all([proxy.query('select 13'), proxy.query('select 14')]);
}

class OwnPool extends Pool {
	connect(...args) {
		console.log('own', args.length);
		return super.connect(...args);
	}
}

async function inherits() {
	const pool = new OwnPool(postgres);
	await Promise.all([pool.query('select 8'), pool.query('select 9')]);
	await pool.end();
}

function looksAtMysql(resolve) {
	const pool = mysql.createPool({
		host: '127.0.0.1',
		user: 'root',
		port: Number(process.env.MYSQLPORT),
		connectionLimit: 1,
	});
	pool.on('enqueue', () => stack('enqueued'));
	let left = 4;
	for (let n = 1; n <= left; n++) {
		pool.query(n === 4 ? 'selec 4' : 'select 1', (error) => {
			stack(`answered ${error}`);
			if (--left === 0) pool.end(() => resolve());
		});
	}
	console.log('waiting', pool._connectionQueue.length, Object.keys(pool._connectionQueue), Object.keys(pool));
}

async function looksAtRedis() {
	const options = { host: '127.0.0.1', port: Number(process.env.REDISPORT) };
	const redis = new Redis(options);
	const early = redis.set('looked at', 1);
	console.log('early', redis.status, redis.offlineQueue.length, Object.keys(redis.offlineQueue), Object.keys(redis));
	console.log(await early);
	redis.incr('looked at', (_error, n) => stack(`incremented to ${n}`));
	const commands = [redis.get('looked at'), redis.pipeline().get('looked at').get('none').exec(), redis.ping()];
	console.log(
		'under way',
		redis.commandQueue.length,
		Object.keys(redis.commandQueue),
		redis.commandQueue.toArray().length,
	);
	console.log(await Promise.all(commands));
	console.log(await redis.call('nonsense').catch(({ stack }) => stack));
	for (const name of ['sendCommand', 'setStatus']) {
		const { [name]: method } = Redis.prototype;
		console.log(
			method.name,
			method.length,
			name in redis,
			Object.hasOwn(redis, name),
			Object.keys(Redis.prototype).length,
		);
	}
	const { mock: ofSend } = mock.method(Redis.prototype, 'sendCommand');
	const { mock: ofGet } = mock.method(redis, 'get', async () => 'mocked');
	console.log(await redis.get('none'), await redis.ping(), ofGet.callCount(), ofSend.callCount());
	mock.restoreAll();
	const piped = new Redis({ ...options, enableAutoPipelining: true });
	console.log(await Promise.all([piped.get('looked at'), piped.ping(), piped.del('looked at')]));
	await Promise.all([redis.quit(), piped.quit()]);
	console.log(Object.keys(redis.commandQueue));
}

async function looksAtNodeRedis() {
	const socket = { host: '127.0.0.1', port: Number(process.env.REDISPORT) };
	const client = createClient({ socket });
	await client.connect();
	const commands = [
		client.set('looked at', '1'),
		client.get('looked at'),
		client.multi().incr('looked at').get('none').exec(),
	];
	console.log(await Promise.all(commands));
	console.log(await client.sendCommand(['nonsense']).catch(({ stack }) => stack));
	await client.close();
	const pool = createClientPool({ socket }, { minimum: 1, maximum: 1 });
	await pool.connect();
	const asks = async () => {
		const answer = await pool.get('looked at');
		stack('asked of the pool');
		return answer;
	};
	const answers = [asks(), asks(), asks(), asks()];
	console.log('waiting', pool.tasksQueueLength, pool.clientsInUse, Object.keys(pool));
	console.log(await Promise.all(answers));
	pool.execute((one) => {
		stack('executed');
		return one.ping();
	});
	await pool.close();
	const lists = require('@redis/client/dist/lib/client/linked-list');
	for (const { name, prototype } of Object.values(lists)) {
		const list = new lists[name]();
		let emptied = 0;
		list.events?.on('empty', () => emptied++);
		const node = list.push('text');
		console.log(name, Object.keys(list), Object.keys(prototype), node, list.push.name, list.push.length);
		console.log(list.shift(), list.shift(), emptied, list.length, [...list]);
	}
}

async function looksAtGenericPool() {
	const pool = createPool({ create: async () => ({}), destroy: async () => undefined }, { max: 1 });
	const uses = async () => {
		const resource = await pool.acquire();
		stack('acquired');
		await pool.release(resource);
	};
	const all = [uses(), uses(), uses()];
	console.log('waiting', pool.pending, inspect(pool._waitingClientsQueue, { depth: 3 }), Object.keys(pool));
	await Promise.all(all);
	console.log(Object.getOwnPropertyNames(Object.getPrototypeOf(pool)), Object.keys(Object.getPrototypeOf(pool)));
	await pool.drain();
	await pool.clear();
}

async function looksAtKnex() {
	const { host, user, database } = postgres;
	const knex = knexOf({ client: 'pg', connection: { host, user, database }, pool: { min: 0, max: 1 } });
	const within = knex.transaction(async (transaction) => {
		stack('within');
		return (await transaction.raw('select 1 as n')).rows[0].n;
	});
	const { prototype } = within.constructor;
	const transactions = [within, knex.transaction(), knex.transaction((transaction) => transaction.raw('selec 2'))];
	console.log(Object.keys(within), Object.keys(prototype), Object.getOwnPropertyNames(prototype));
	for (const name of ['acquireConnection', 'catch', 'then', '_onAcquire'])
		console.log(within[name].name, within[name].length, String(prototype[name]).slice(0, 12), name in within);
	const { catch: caught } = within;
	within.catch = function replaced(...args) {
		console.log('replaced', args.length);
		return caught.apply(this, args);
	};
	console.log(Object.getOwnPropertyDescriptor(within, 'catch').enumerable, await within.catch(() => undefined));
	const begun = await transactions[1];
	stack('begun');
	await begun.commit();
	console.log(await transactions[2].catch(({ message }) => message));
	const wrong = () => knex.transaction(() => undefined, { isolationLevel: 'no level' });
	try {
		await wrong();
	} catch ({ stack }) {
		console.log(stack);
	}
	await knex.destroy();
}

async function looksAtUndici() {
	const server = http.createServer((_request, response) => response.end('answered'));
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const pool = new undici.Pool(`http://127.0.0.1:${server.address().port}`, { connections: 1 });
	const asks = async () => {
		const { body } = await pool.request({ path: '/', method: 'GET' });
		stack('asked');
		return body.text();
	};
	console.log(await asks());
	const answers = [asks(), asks(), asks()];
	const queue = pool[Object.getOwnPropertySymbols(pool).find(({ description }) => description === 'queue')];
	console.log(inspect(queue, { depth: 0 }), Object.keys(queue), 'push' in queue, JSON.stringify(pool.stats));
	const asked = {
		onConnect: () => stack('connected'),
		onHeaders: () => true,
		onData: () => true,
		onComplete: () => undefined,
	};
	pool.dispatch({ path: '/', method: 'GET' }, { ...asked, onError: ({ message }) => console.log(message) });
	console.log(await Promise.all(answers));
	const { prototype } = Object.getPrototypeOf(queue).constructor;
	for (const name of Object.getOwnPropertyNames(prototype)) {
		console.log(name, prototype[name].length, String(prototype[name]).slice(0, 12), Object.keys(prototype).length);
	}
	await pool.close();
	server.close();
}

async function looksAtBullmq() {
	const connection = { host: '127.0.0.1', port: Number(process.env.REDISPORT), maxRetriesPerRequest: null };
	const queue = new Queue('looks', { connection });
	await queue.add('fails', {});
	const works = async () => {
		stack('works');
		throw new Error('failed');
	};
	const worker = new Worker('looks', works, { connection });
	const [job, { stack: failed }] = await new Promise((resolve) => worker.on('failed', (...args) => resolve(args)));
	console.log(failed, job.stacktrace, Object.keys(worker), Object.keys(worker.lockManager));
	for (const of of [worker, worker.lockManager]) {
		const prototype = Object.getPrototypeOf(of);
		console.log(Object.getOwnPropertyNames(prototype), Object.keys(prototype));
		for (const name of ['getUnrecoverableErrorMessage', 'startStalledCheckTimer', 'untrackJob'])
			console.log(of[name]?.name, of[name]?.length, String(prototype[name]).slice(0, 12), name in of);
	}
	console.log(
		worker.lockManager.getTrackedJobIds(),
		worker.getUnrecoverableErrorMessage({ deferredFailure: 'because' }),
	);
	await worker.close();
	await queue.close();
}

looksAtPg()
	.then(inherits)
	.then(() => new Promise(looksAtMysql))
	.then(looksAtRedis)
	.then(looksAtNodeRedis)
	.then(looksAtGenericPool)
	.then(looksAtKnex)
	.then(looksAtUndici)
	.then(looksAtBullmq)
	.then(() => console.log('the end'));
