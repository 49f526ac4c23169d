// Jobs that the program names itself: each is an AsyncResource from when it is queued until it is destroyed. One at a time is worked on. Prints how long each
// took, how long it was queued, and how long it computed, with the least that it must have been wherever the machine stopped meanwhile. Then a server whose
// handler has named work done for each request.
const { AsyncResource } = require('node:async_hooks');
const fs = require('node:fs');
const http = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');

const now = () => performance.now();
const spent = (what, from, least = 0) =>
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms, at least ${Math.max(0, least).toFixed(3)} ms`);

const WAIT_MS = 20;
/** Node's timers count whole milliseconds. */
const LEAST_WAIT_MS = WAIT_MS - 1;
/** When a job had computed last. */
let computed = 0;

class Queue {
	waiting = [];
	isBusy = false;

	push(work) {
		const from = now();
		const job = new AsyncResource('job'); // the job
		const by = now();
		return new Promise((resolve) => {
			this.waiting.push({ work, from, by, job, resolve });
			if (!this.isBusy) this.work();
		});
	}

	async work() {
		this.isBusy = true;
		for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
			await next.job.runInAsyncScope(() => {
				spent('queued', next.from, computed - next.by);
				return next.work();
			});
			next.job.emitDestroy();
			spent('job', next.from, computed - next.by);
			next.resolve();
		}
		this.isBusy = false;
	}
}

async function works() {
	await sleep(WAIT_MS); // it waits
	await fs.promises.stat(__filename); // and looks
	const from = now();
	while (now() < from + 10);
	computed = now();
	spent('computed', from);
}

async function serves() {
	// the handler ↓
	const server = http.createServer(async (_request, response) => {
		const from = now();
		const part = new AsyncResource('part'); // a part of it
		await part.runInAsyncScope(async () => {
			await sleep(WAIT_MS); // for the request
		});
		part.emitDestroy();
		spent('part', from, LEAST_WAIT_MS);
		response.end();
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	for (let i = 0; i < 3; i++) {
		const { port } = server.address();
		const from = now();
		await new Promise((resolve) =>
			http.get({ port, agent: false }, (response) => response.resume().on('end', resolve)),
		);
		spent('request', from, LEAST_WAIT_MS);
	}
	server.close();
}

/** Its end comes in a callback of its own, within another one; and one has none. */
function ends() {
	new AsyncResource('endless'); // never over
	setTimeout(() => {
		const from = now();
		const inside = new AsyncResource('inside'); // over within itself
		fs.stat(__filename, () =>
			inside.runInAsyncScope(() => {
				inside.emitDestroy();
				spent('inside', from);
			}),
		);
	}, 1);
}

async function main() {
	const queue = new Queue();
	await sleep(1);
	await Promise.all([1, 2, 3, 4, 5].map(() => queue.push(works)));
	await serves();
	ends();
}

main();
