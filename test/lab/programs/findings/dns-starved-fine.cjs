// The look-up first, then the hashes one after the other: the look-up has a thread to itself.
const crypto = require('node:crypto');
const dns = require('node:dns');

function hash(left) {
	if (left > 0) crypto.pbkdf2('password', 'salt', 30_000, 512, 'sha512', () => hash(left - 1));
}
dns.lookup('localhost', () => hash(4));
