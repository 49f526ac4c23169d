// Processes, threads, messages, ticks and the program's own resources. What a report must say of a line stands behind it (→) or
// above it (↓): name, class and count of each entry. Lines without such a comment must have none.
const { AsyncResource } = require('node:async_hooks');
const childProcess = require('node:child_process');
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const timers = require('node:timers/promises');
const { MessageChannel, Worker } = require('node:worker_threads');

const done = (start) => new Promise(start);

/** How many the process has. */
const threads = () => (process.platform === 'linux' ? fs.readdirSync('/proc/self/task').length : 0);

async function processes() {
	await done((go) => childProcess.exec('exit 0', go)); // → child_process.exec process 1
	await done((go) => childProcess.fork(__filename, ['child']).on('exit', go)); // → child_process.fork process 1
	childProcess.spawnSync(process.execPath, ['-e', '0']);
}

async function messages() {
	const { port1, port2 } = new MessageChannel(); // → MessagePort message worker 3
	let got = 0;
	await done((go) => {
		port1.on('message', () => ++got === 3 && go());
		for (let i = 0; i < 3; i++) port2.postMessage(i);
	});
	port1.close();
	const answer =
		'const { parentPort } = require("worker_threads"); parentPort.once("message", (m) => parentPort.postMessage(m))';
	const before = threads();
	const worker = new Worker(answer, { eval: true }); // → new Worker worker 1; Worker message worker 1
	worker.postMessage(1); // → posted message worker 1
	await done((go) => worker.on('exit', go));
	const hasty = new Worker('require("worker_threads").parentPort.postMessage(1)', { eval: true }); // → new Worker worker 1; Worker message worker 1
	// Its message and its end come at once: Node delivers the one inside the other.
	while (threads() > before);
	await Promise.all([done((go) => hasty.on('message', go)), done((go) => hasty.on('exit', go))]);
}

async function resources() {
	const resource = new AsyncResource('Query'); // → Query other 1
	setTimeout(() => resource.runInAsyncScope(() => setTimeout(() => undefined, 1)), 1); // → setTimeout timer 2
	const bound = AsyncResource.bind(() => undefined, 'Bound'); // → Bound other 1
	setTimeout(bound, 1); // → setTimeout timer 1
	await timers.setTimeout(20); // → timers.promises.setTimeout timer 1
}

async function ticks() {
	await timers.setImmediate(); // → timers.promises.setImmediate loop 1
	// ↓ timers.promises.setInterval timer 2
	for await (const turn of timers.setInterval(2, 1)) {
		if (turn !== 1) return;
		const { calls = 0 } = ticks;
		ticks.calls = calls + 1;
		if (calls === 1) break;
	}
	const emitter = new EventEmitter();
	setImmediate(() => emitter.emit('ready')); // → setImmediate loop 1
	await EventEmitter.once(emitter, 'ready');
}

if (process.argv[2] !== 'child') {
	(async () => {
		await processes();
		await messages();
		await resources();
		await ticks();
	})();
}
