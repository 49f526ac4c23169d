// Blocks its loop for 30 ms of each 40 until the file exists that its argument names; then it does nothing until it is killed.
const { existsSync } = require('node:fs');

const spins = setInterval(() => {
	const until = performance.now() + 30;
	while (performance.now() < until);
	if (existsSync(process.argv[2])) clearInterval(spins);
}, 40);
setTimeout(process.exit, 300_000);
