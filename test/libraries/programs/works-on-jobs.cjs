// Jobs of two queues of bullmq, two at a time: some wait, one only computes, one fails and is tried again, one is put off by its own function. Then tasks of
// piscina. Prints how long each took.
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { DelayedError, Queue, Worker } = require('bullmq');
const IORedis = require('ioredis');
const Piscina = require('piscina');

const port = Number(process.env.REDISPORT);
const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
const now = () => performance.now();
const spent = (what, from, to = now()) => console.log(`${what}: ${from.toFixed(3)} to ${to.toFixed(3)} ms`);

/** Adds jobs and resolves once a worker has completed that many. */
async function completed(queue, worker, jobs) {
	const done = new Promise((resolve) => {
		let left = jobs.length;
		worker.on('completed', () => {
			if (--left === 0) resolve();
		});
	});
	await queue.addBulk(jobs);
	await done;
	await worker.close();
	await queue.close();
}

async function sends() {
	const queue = new Queue('mail', { connection });
	// the mails' worker ↓
	const worker = new Worker(
		'mail',
		async (job, token) => {
			const from = now();
			try {
				await sleep(job.name === 'bill' ? 30 : 10); // it waits
				if (job.name === 'retried' && job.attemptsMade === 0) throw new Error('not yet');
				if (job.name === 'later' && job.data.until === undefined) {
					await job.updateData({ until: 1 });
					await job.moveToDelayed(Date.now() + 1, token);
					throw new DelayedError();
				}
			} finally {
				spent(job.name, from);
			}
		},
		{ connection, concurrency: 2 },
	);
	const names = ['bill', 'welcome', 'bill', 'welcome', 'bill', 'retried', 'later'];
	await completed(
		queue,
		worker,
		names.map((name) => ({ name, data: {}, opts: { attempts: 2 } })),
	);
}

/** Over a connection that is open already. */
async function adds() {
	const shared = new IORedis(connection);
	await shared.ping();
	const queue = new Queue('sum', { connection: shared });
	const worker = new Worker('sum', addUp, { connection: shared }); // adds up
	await completed(queue, worker, [
		{ name: 'add', data: {} },
		{ name: 'add', data: {} },
	]);
	shared.disconnect();
}

async function addUp() {
	const from = now();
	while (now() < from + 10);
	spent('add', from);
}

async function shares() {
	const pool = new Piscina({ filename: path.join(__dirname, 'shared-task.cjs'), minThreads: 1, maxThreads: 1 });
	await pool.run(1);
	await Promise.all(
		[10, 10, 10].map(async (ms) => {
			const from = now();
			await pool.run(ms); // the task
			spent('task', from);
		}),
	);
	await pool.destroy();
}

async function main() {
	await sends();
	await adds();
	await shares();
}

main();
