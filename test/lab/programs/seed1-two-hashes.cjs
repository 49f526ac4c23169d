// Seed 1: two equal hashes. With one pool thread the second spends half of its wait in the queue; with two threads
// neither queues. Each hash has a line of its own, so the report distinguishes them. UV_THREADPOOL_SIZE comes from the
// environment.
const crypto = require('node:crypto');

/** Prints when the operation started and when its callback began, since the program's start. */
function timed(name) {
	const from = performance.now();
	return (error) => {
		if (error) throw error;
		console.log(`${name} hash: ${from.toFixed(1)} to ${performance.now().toFixed(1)} ms`);
	};
}

crypto.pbkdf2('first password', 'salt', 80_000, 512, 'sha512', timed('first'));
crypto.pbkdf2('second password', 'salt', 80_000, 512, 'sha512', timed('second'));
