// Forks itself; the child talks to the parent, prints, and leaves with a code of its own.
const { fork } = require('node:child_process');

if (process.argv[2] === 'child') {
	console.log('child: started');
	process.on('message', (message) => {
		console.log(`child: got ${message}`);
		process.send('pong', () => process.exit(3));
	});
} else {
	const child = fork(__filename, ['child']);
	child.send('ping');
	child.on('message', (message) => console.log(`parent: got ${message}`));
	child.on('close', (code, signal) => console.log(`parent: child ended with ${code} ${signal}`));
}
