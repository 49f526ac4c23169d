// Computes for 120 ms behind an await, prints how long that took, in ms, and then sleeps for a second.
const fs = require('node:fs/promises');
(async () => {
	await fs.readFile(__filename);
	const from = performance.now();
	while (performance.now() < from + 120);
	console.log(`computed for ${performance.now() - from} ms`);
	setTimeout(() => undefined, 1000);
})();
