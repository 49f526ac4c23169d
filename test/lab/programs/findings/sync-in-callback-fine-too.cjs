// The same functions where they do no harm: at the start, where nothing waits yet, seldom in a callback that is short, and once behind many reads, whose own callbacks take the time.
const crypto = require('node:crypto');
const fs = require('node:fs');

crypto.pbkdf2Sync('password', 'salt', 60_000, 512, 'sha512');

let turns = 0;
const interval = setInterval(() => {
	fs.statSync(__filename);
	if (++turns === 3) clearInterval(interval);
}, 100);

async function readAll() {
	const names = Array.from({ length: 40 }, () => __filename);
	for (let i = 0; i < 50; i++) await Promise.all(names.map((name) => fs.promises.readFile(name)));
	fs.accessSync(__filename);
}
readAll();
