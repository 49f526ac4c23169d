// Look-ups one after the other, beside a hash at a time: the pool has threads left for both.
const crypto = require('node:crypto');
const dns = require('node:dns');

function hash(left) {
	if (left > 0) crypto.pbkdf2('password', 'salt', 30_000, 512, 'sha512', () => hash(left - 1));
}
function lookUp(left) {
	if (left > 0) dns.lookup('localhost', () => setTimeout(lookUp, 10, left - 1));
}
hash(4);
lookUp(20);
