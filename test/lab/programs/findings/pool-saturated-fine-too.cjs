// As many hashes at once as the pool has threads, again and again: all are taken, and nothing queues.
const crypto = require('node:crypto');
const { promisify } = require('node:util');
const pbkdf2 = promisify(crypto.pbkdf2);

async function main() {
	for (let k = 0; k < 3; k++)
		await Promise.all(Array.from({ length: 4 }, () => pbkdf2('password', 'salt', 30_000, 512, 'sha512')));
}
main();
