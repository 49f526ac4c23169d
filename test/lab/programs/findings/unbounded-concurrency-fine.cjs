// The same hashes, two at a time.
const crypto = require('node:crypto');

let left = 300;
function next() {
	if (left-- > 0) crypto.pbkdf2('password', 'salt', 1_000, 512, 'sha512', next);
}
next();
next();
