// Starts Workers, one after the other, whose descriptors Node does not close for them, and counts the process's before and after.
const fs = require('node:fs');
const { Worker } = require('node:worker_threads');

const count = () => fs.readdirSync('/proc/self/fd').length;

function start(left, done) {
	if (left === 0) return done();
	new Worker('', { eval: true, trackUnmanagedFds: false }).on('exit', () => start(left - 1, done));
}

// The first one opens some that stay.
start(1, () => {
	const before = count();
	start(10, () => console.log(`${count() - before} more descriptors`));
});
