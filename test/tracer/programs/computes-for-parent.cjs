// A forked process that only computes for what its parent sends; it starts nothing itself.
const { fork } = require('node:child_process');
const MESSAGES = 4;
if (process.argv[2] !== 'child') {
	const child = fork(__filename, ['child']);
	let sent = 1;
	child.on('message', () => {
		if (sent < MESSAGES) child.send(++sent);
		else child.disconnect();
	});
	child.send(1);
} else {
	process.on('message', (message) => {
		const until = performance.now() + 80;
		while (performance.now() < until);
		process.send(message);
	});
}
