// Spins after awaits: they are the run time of the operation that was awaited. The program times each stretch itself, from where an
// await is over until it comes to the next one, and prints it under the comment of the operation's line; with how long the thread had
// no CPU from before that await until after the next one's stretch. First everything is done often without spins: what Node loads and compiles,
// and the tracer captures, at first takes milliseconds too. That counts for the lines as well, so the longest of all is printed, with the time without a
// CPU. A file that is read has several steps, and all of them run.
const fs = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { promisify } = require('node:util');

/** So that nothing is captured for the first time while it counts. */
const COLD_ROUNDS = 20;

const stretches = {};
/** For each stretch that has ended: how long the thread had waited for a CPU by then, in ms. */
let ends = [];
let isWarm = false;

const statistics = process.platform === 'linux' ? fs.openSync('/proc/thread-self/schedstat') : -1;
const text = Buffer.alloc(64);

/** The second number: ns waiting for a CPU (sched-stats.rst); 0 where the system does not show it. */
function waitedMs() {
	if (statistics < 0) return 0;
	const length = fs.readSync(statistics, text, 0, text.length, 0);
	return Number(text.toString('latin1', 0, length).split(' ')[1]) / 1e6;
}

/**
 * An await is just over: spins.
 * @param from when it was; V8 may compile this function before it begins
 */
function spin(awaited, ms, from) {
	stretches[awaited] = -from;
	while (isWarm && performance.now() - from < ms);
}

/** The next await is just to come. */
function upTo(awaited) {
	stretches[awaited] += performance.now();
	ends.push(waitedMs());
}

async function readTwice() {
	const once = fs.promises.readFile(__filename); // reads once
	upTo('resolves');
	await once;
	spin('reads once', 7, performance.now());
	const again = fs.promises.readFile(__filename, 'utf8'); // reads again
	upTo('reads once');
	await again;
	spin('reads again', 12, performance.now());
}

async function all() {
	await sleep(2); // sleeps
	spin('sleeps', 30, performance.now());
	const asked = fs.promises.stat(__filename); // asks for one
	upTo('sleeps');
	await asked;
	spin('asks for one', 10, performance.now());
	const both = Promise.all([fs.promises.access(__filename), fs.promises.access(__dirname)]); // asks for two
	upTo('asks for one');
	await both;
	spin('asks for two', 15, performance.now());
	const path = promisify(fs.realpath.native)(__filename); // resolves
	upTo('asks for two');
	await path;
	await null;
	spin('resolves', 20, performance.now());
	await readTwice();
	const turn = new Promise((resolve) => setImmediate(resolve)); // lets go
	upTo('reads again');
	await turn;
	spin('lets go', 5, performance.now());
	const called = new Promise((resolve) => fs.open(__filename, (_error, fd) => resolve(fd))); // opens
	upTo('lets go');
	const fd = await called;
	spin('opens', 6, performance.now());
	const closed = promisify(fs.close)(fd); // closes
	upTo('opens');
	await closed;
	spin('closes', 8, performance.now());
	const last = sleep(1);
	upTo('closes');
	await last;
}

/** By stretch, of all rounds: how long the longest was, with the time without a CPU from before its await until after the next stretch. */
const longest = {};

/** @returns by stretch: how long it was, and how long the thread had no CPU from before its await until after the next stretch */
async function round() {
	ends = [waitedMs()];
	await all();
	ends.push(waitedMs());
	const seen = {};
	for (const [i, [awaited, ms]] of Object.entries(stretches).entries()) {
		const noCpuMs = ends[i + 2] - ends[i];
		longest[awaited] = Math.max(longest[awaited] ?? 0, ms + noCpuMs);
		seen[awaited] = { ms, noCpuMs, longestMs: longest[awaited] };
	}
	return seen;
}

(async () => {
	for (let cold = 0; cold < COLD_ROUNDS; cold++) await round();
	isWarm = true;
	console.log(JSON.stringify(await round()));
})();
