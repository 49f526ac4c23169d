// Asks for five hashes of a pool that it has set to one thread.
process.env.UV_THREADPOOL_SIZE = '1';
const { pbkdf2 } = require('node:crypto');

for (let count = 0; count < 5; count++) pbkdf2('password', 'salt', 400_000, 64, 'sha512', Boolean);
