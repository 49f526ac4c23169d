// An interval whose callback hashes by a helper, and a continuation that reads: both by functions that return when all is done.
const crypto = require('node:crypto');
const fs = require('node:fs');

function hash() {
	return crypto.pbkdf2Sync('password', 'salt', 60_000, 512, 'sha512');
}

let turns = 0;
const interval = setInterval(() => {
	hash();
	if (++turns === 3) clearInterval(interval);
}, 100);

async function readAll() {
	await fs.promises.stat(__filename);
	const end = performance.now() + 200;
	while (performance.now() < end) fs.readFileSync(__filename);
}
readAll();
