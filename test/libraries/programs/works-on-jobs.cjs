// Jobs of two queues of bullmq, two at a time: some wait, one only computes, one fails and is tried again, one is put off by its own function. Then tasks of
// piscina. Prints how long each took: at most, and at least.
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { DelayedError, Queue, Worker } = require('bullmq');
const IORedis = require('ioredis');
const Piscina = require('piscina');

const TASK_MS = 10;
const port = Number(process.env.REDISPORT);
const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
const now = () => performance.now();
const spent = (what, from, least) =>
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms, at least ${least.toFixed(3)} ms`);

/** When a worker said of each job that it begins, by its id: right before it calls the program. */
const active = new Map();
const noteActive = ({ id }) => active.set(id, now());

/**
 * The program's part of a job is over, and the worker's is in the same turn.
 * @param from when the program's began
 * @param then is called once both are over
 */
function jobSpent({ id, name }, from, then = () => undefined) {
	const least = now() - from;
	process.nextTick(() => {
		spent(name, active.get(id), least);
		then();
	});
}

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
			let isLater = false;
			try {
				await sleep(job.name === 'bill' ? 30 : 10); // it waits
				if (job.name === 'retried' && job.attemptsMade === 0) throw new Error('not yet');
				if (job.name === 'later' && job.data.until === undefined) {
					await job.updateData({ until: 1 });
					await job.moveToDelayed(Date.now() + 60_000, token);
					isLater = true;
					throw new DelayedError();
				}
			} finally {
				// Not while it is still under way: the worker has another hand free.
				jobSpent(job, from, () => isLater && job.promote());
			}
		},
		{ connection, concurrency: 2 },
	);
	worker.on('active', noteActive);
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
	worker.on('active', noteActive);
	await completed(queue, worker, [
		{ name: 'add', data: {} },
		{ name: 'add', data: {} },
	]);
	shared.disconnect();
}

async function addUp(job) {
	const from = now();
	while (now() < from + 10);
	jobSpent(job, from);
}

async function shares() {
	const pool = new Piscina({ filename: path.join(__dirname, 'shared-task.cjs'), minThreads: 1, maxThreads: 1 });
	await pool.run(1);
	const since = now();
	await Promise.all(
		[1, 2, 3].map(async (nth) => {
			const from = now();
			const task = pool.run(TASK_MS); // the task
			const by = now();
			await task;
			// Its only thread does one after the other.
			spent('task', from, since + nth * TASK_MS - by);
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
