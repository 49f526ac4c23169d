// Seed 7: a name is looked up, and a file asked for, behind hashes that occupy every pool thread. Both take
// microseconds and wait for two whole rounds of hashes, because `dns.lookup`, `fs` and `crypto` share one pool.
// UV_THREADPOOL_SIZE comes from the environment; the default is 4. The argument is how many hashes there are; the default is two rounds.
const crypto = require('node:crypto');
const dns = require('node:dns');
const fs = require('node:fs');

const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
const hashes = Number(process.argv[2] ?? 2 * threads);
/** Prints when the operation started and when its callback began, since the program's start. */
function timed(name) {
	const from = performance.now();
	return (error) => {
		if (error) throw error;
		console.log(`${name}: ${from.toFixed(1)} to ${performance.now().toFixed(1)} ms`);
	};
}

for (let k = 0; k < hashes; k++) {
	crypto.pbkdf2('password', 'salt', 40_000, 512, 'sha512', timed('hash'));
}
dns.lookup('localhost', timed('lookup'));
fs.stat(__filename, timed('stat'));
