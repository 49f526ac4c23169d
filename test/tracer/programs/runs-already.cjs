// Counts what it starts, on lines of its own: an interval from the beginning on, an await loop, and microtasks that keep it in
// promise continuations for most of its time. Ends when `globalThis.ends` is set, and prints the counts.
const fs = require('node:fs');

const counts = { reads: 0, sleeps: 0 };
Object.assign(globalThis, { counts, ends: false });

const interval = setInterval(() => {
	counts.reads++;
	fs.readFile(__filename, Boolean); // read
}, 5);

(async () => {
	while (!globalThis.ends) {
		counts.sleeps++;
		await new Promise((resolve) => setTimeout(resolve, 2)); // sleep
		const until = performance.now() + 3;
		while (performance.now() < until) await null;
	}
	clearInterval(interval);
	console.log(JSON.stringify(counts));
})();
