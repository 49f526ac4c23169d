// A name look-up behind hashes on a pool of one thread: the name is a local one, so that all its wait is the queue.
const crypto = require('node:crypto');
const dns = require('node:dns');

for (let k = 0; k < 4; k++) crypto.pbkdf2('password', 'salt', 30_000, 512, 'sha512', () => undefined);
dns.lookup('localhost', () => undefined);
