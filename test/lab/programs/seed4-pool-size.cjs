// Seed 4, CommonJS: the program asks for two pool threads itself. libuv reads the variable at the first use of the
// pool, so here it is early enough on every Node version. The thread count printed is what the kernel says.
process.env.UV_THREADPOOL_SIZE = 2;

const crypto = require('node:crypto');
const fs = require('node:fs');

const threads = () => (process.platform === 'linux' ? fs.readdirSync('/proc/self/task').length : 0);
const before = threads();

for (let k = 1; k <= 3; k++) {
	crypto.pbkdf2('password', 'salt', 80_000, 512, 'sha512', (error) => {
		if (error) throw error;
		console.log('a hash is done');
	});
}
console.log(`pool threads made by the first hash: ${threads() - before}`);
