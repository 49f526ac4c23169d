// Takes a second to leave after Ctrl-C, as a server does that lets its requests end. A second Ctrl-C, or somebody's kill, would cut that short.
const hold = setInterval(() => undefined, 600_000);
process.on('SIGINT', () => {
	setTimeout(() => {
		console.log('left');
		clearInterval(hold);
		process.exitCode = 5;
	}, 1000);
});
console.log('ready');
