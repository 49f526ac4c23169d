// Work behind limiters, whose queues are JavaScript that no hook sees: each piece of it is on its own line and waits only for itself, and nothing
// is said of the limiter. Behind each line (→): what it must show. Prints how long each piece of work took, without its wait for the limiter.
const fs = require('node:fs');
const Bottleneck = require('bottleneck');
const pLimit = require('p-limit');
const { default: PQueue } = require('p-queue');

const PIECES = 5;
const WORK_MS = 20;

function spent(what, from) {
	console.log(`${what}: ${from.toFixed(3)} to ${performance.now().toFixed(3)} ms`);
}

const several = (start) => Promise.all(Array.from({ length: PIECES }, start));

async function behindLimit() {
	const from = performance.now();
	await new Promise((resolve) => setTimeout(resolve, WORK_MS)); // → setTimeout timer 5
	spent('p-limit', from);
	await fs.promises.stat(__filename); // → fs.promises.stat threadpool 5
}

async function behindQueue() {
	const from = performance.now();
	await new Promise((resolve) => setTimeout(resolve, WORK_MS)); // → setTimeout timer 5
	spent('p-queue', from);
}

async function behindBottleneck() {
	const from = performance.now();
	await new Promise((resolve) => setTimeout(resolve, WORK_MS)); // → setTimeout timer 5
	spent('bottleneck', from);
}

async function main() {
	const limit = pLimit(1);
	await several(() => limit(behindLimit));
	const queue = new PQueue({ concurrency: 1 });
	await several(() => queue.add(behindQueue));
	const bottleneck = new Bottleneck({ maxConcurrent: 1 });
	await several(() => bottleneck.schedule(behindBottleneck)); // → setTimeout timer 1
}

main();
