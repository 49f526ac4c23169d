// Three hundred hashes at once: each alone takes some milliseconds, the last ones wait for all the others.
const crypto = require('node:crypto');

for (let k = 0; k < 300; k++) crypto.pbkdf2('password', 'salt', 1_000, 512, 'sha512', () => undefined);
