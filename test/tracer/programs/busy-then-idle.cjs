// Blocks its loop for 30 ms of each 40, for two seconds, then does nothing until it is killed.
const spins = setInterval(() => {
	const until = performance.now() + 30;
	while (performance.now() < until);
}, 40);
setTimeout(() => clearInterval(spins), 2000);
setTimeout(process.exit, 60_000);
