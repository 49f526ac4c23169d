// Eight hashes of argon2, which its own code starts after an await: they fill the pool, and a read queues behind them. They await their salts from the
// pool, so the read follows what is behind the last of these.
const crypto = require('node:crypto');
const fs = require('node:fs');
const argon2 = require('argon2');

for (let i = 0; i < 8; i++) argon2.hash(`pw${i}`, { timeCost: 3, memoryCost: 1 << 15 });
crypto.randomBytes(16, () => fs.readFile(__filename, () => undefined));
