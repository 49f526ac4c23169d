// Seed 4, ES module: the same as the CommonJS program beside it. On Node 18 and 20 the loader has read the file on
// the pool before this line runs, so the assignment comes too late there: four threads exist already.
process.env.UV_THREADPOOL_SIZE = 2;

import crypto from 'node:crypto';
import fs from 'node:fs';

const threads = () => (process.platform === 'linux' ? fs.readdirSync('/proc/self/task').length : 0);
const before = threads();

for (let k = 1; k <= 3; k++) {
	crypto.pbkdf2('password', 'salt', 80_000, 512, 'sha512', (error) => {
		if (error) throw error;
		console.log('a hash is done');
	});
}
console.log(`pool threads made by the first hash: ${threads() - before}`);
