// Starts operations of several kinds as fast as it can until the file END is there, each in an async context of its own, and prints how many there
// were of each line, their longest waits in ms, and how often a context was wrong. ARGS: END.
const { AsyncLocalStorage } = require('node:async_hooks');
const { existsSync, stat } = require('node:fs');

const [end] = process.argv.slice(2);
const now = () => performance.now();
/** To look for a file takes as long as many operations. */
const LOOK_MS = 100;
const storage = new AsyncLocalStorage();
const counts = { immediates: 0, stats: 0, intervals: 0, awaits: 0 };
const longest = { immediates: 0, stats: 0, intervals: 0 };
let wrong = 0;
let looked = now();
let isOver = false;

function called(what, context, started) {
	counts[what]++;
	longest[what] = Math.max(longest[what], now() - started);
	if (storage.getStore() !== context) wrong++;
}

async function awaits() {
	for (let context = 0; !isOver; context++) {
		await storage.run(context, async () => {
			await new Promise((resolve) => setImmediate(resolve));
			if (storage.getStore() !== context) wrong++;
			counts.awaits++;
		});
	}
}

function stats(context) {
	const started = now();
	storage.run(context, () => {
		stat(__filename, () => {
			called('stats', context, started);
			if (!isOver) stats(context + 1);
		});
	});
}

function round(context) {
	if (now() - looked > LOOK_MS) {
		looked = now();
		isOver = existsSync(end);
	}
	if (isOver) {
		clearInterval(interval);
		process.once('exit', () => console.log(JSON.stringify({ counts, longest, wrong })));
		return;
	}
	for (let k = 0; k < 20; k++) {
		const started = now();
		storage.run(context + k, () => {
			setImmediate(() => called('immediates', context + k, started));
		});
	}
	setImmediate(round, context + 20);
}

let fired = now();
const interval = storage.run('interval', () =>
	setInterval(() => {
		called('intervals', 'interval', fired);
		fired = now();
	}, 20),
);
awaits();
stats(0);
round(0);
