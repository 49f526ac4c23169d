// Idles, turns its loop without a rest, sleeps in a callback, blocks the loop with work until the file exists that its
// argument names, idles; prints when the work was, in ms of the clock that all processes share.
const fs = require('node:fs');

const now = () => Number(process.hrtime.bigint()) / 1e6;
/** In ms: nobody looks any more. */
const LONGEST_HOLD = 60_000;

function work(ms) {
	const until = now() + ms;
	while (now() < until);
}

function turn(until, then) {
	work(2);
	if (now() < until) setImmediate(turn, until, then);
	else setTimeout(then, 50);
}

setTimeout(() => turn(now() + 800, sleep), 500);

function sleep() {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
	setTimeout(hold, 50);
}

function hold() {
	const from = now();
	while (!fs.existsSync(process.argv[2]) && now() < from + LONGEST_HOLD) work(5);
	console.log(JSON.stringify({ from, to: now() }));
	setTimeout(work, 500, 0);
}
