// Computes for 120 ms behind an await, and then sleeps for a second.
const fs = require('node:fs/promises');
(async () => {
	await fs.readFile(__filename);
	const until = performance.now() + 120;
	while (performance.now() < until);
	setTimeout(() => undefined, 1000);
})();
