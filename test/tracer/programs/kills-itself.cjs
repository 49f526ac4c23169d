// Ends by SIGTERM, as a process manager would end it.
setTimeout(() => {
	console.log('farewell');
	process.kill(process.pid, 'SIGTERM');
}, 5);
setTimeout(() => console.log('never'), 60_000);
