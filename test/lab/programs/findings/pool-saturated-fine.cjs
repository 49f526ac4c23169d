// The same work, one after the other: nothing queues.
const crypto = require('node:crypto');
const fs = require('node:fs/promises');
const { promisify } = require('node:util');
const pbkdf2 = promisify(crypto.pbkdf2);

async function main() {
	for (let k = 0; k < 8; k++) await pbkdf2('password', 'salt', 30_000, 512, 'sha512');
	await fs.readFile(__filename);
}
main();
