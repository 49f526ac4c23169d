// Stays until a signal comes, and then leaves in its own way.
const hold = setInterval(() => console.log('never'), 600_000);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		console.log(`got ${signal}`);
		clearInterval(hold);
		process.exitCode = 5;
	});
}
console.log('ready');
