// The same functions where they do no harm: at the start, where nothing waits yet, and seldom in a callback that is short.
const crypto = require('node:crypto');
const fs = require('node:fs');

crypto.pbkdf2Sync('password', 'salt', 60_000, 512, 'sha512');

let turns = 0;
const interval = setInterval(() => {
	fs.statSync(__filename);
	if (++turns === 3) clearInterval(interval);
}, 100);
