// An add-on whose work takes the pool's threads, which no hook says. Behind each line (→): what it must show.
const crypto = require('node:crypto');
const util = require('node:util');
const bcrypt = require('bcrypt');

const pbkdf2 = util.promisify(crypto.pbkdf2);

(async () => {
	await pbkdf2('a', 'b', 1000, 64, 'sha512'); // → crypto.pbkdf2 threadpool 1
	const salt = bcrypt.genSaltSync(11);
	const hashes = [1, 2, 3, 4].map(() => bcrypt.hash('password', salt)); // → bcrypt:EncryptAsyncWorker threadpool 4
	await pbkdf2('a', 'b', 1000, 64, 'sha512'); // → crypto.pbkdf2 threadpool 1
	await Promise.all(hashes);
})();
