// Eight hashes at once on a pool of two threads (UV_THREADPOOL_SIZE): six of them queue, and a read behind them too.
const crypto = require('node:crypto');
const fs = require('node:fs');

for (let k = 0; k < 8; k++) crypto.pbkdf2('password', 'salt', 30_000, 512, 'sha512', () => undefined);
fs.readFile(__filename, () => undefined);
