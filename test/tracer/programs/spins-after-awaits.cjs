// Spins after awaits, each of which the program times itself and prints: they are the run time of the awaited line. First all is done
// without them, for what a first call loads and compiles takes milliseconds, too.
const fs = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { promisify } = require('node:util');

const spun = {};
let isWarm = false;

/** @param awaited the comment on the line whose await has just been over */
function spin(awaited, ms) {
	if (!isWarm) return;
	const from = performance.now();
	let now = from;
	while (now - from < ms) now = performance.now();
	spun[awaited] = now - from;
}

async function readTwice() {
	await fs.promises.readFile(__filename); // reads once
	spin('reads once', 7);
	await fs.promises.readFile(__filename); // reads again
	spin('reads again', 12);
}

async function all() {
	await sleep(2); // sleeps
	spin('sleeps', 30);
	await fs.promises.stat(__filename); // asks for one
	spin('asks for one', 10);
	await Promise.all([fs.promises.access(__filename), fs.promises.access(__dirname)]); // asks for two
	spin('asks for two', 15);
	await promisify(fs.realpath.native)(__filename); // resolves
	await null;
	spin('resolves', 20);
	await readTwice();
	await new Promise((resolve) => setImmediate(resolve)); // lets go
	spin('lets go', 5);
	for await (const _ of fs.createReadStream(__filename, { end: 9 })) spin('streams', 9); // streams
	const handle = await fs.promises.open(__filename); // opens
	spin('opens', 6);
	await handle.close(); // closes
	spin('closes', 8);
	await sleep(1);
}

(async () => {
	await all();
	isWarm = true;
	await all();
	console.log(JSON.stringify(spun));
})();
