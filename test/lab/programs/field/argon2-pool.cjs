// Eight hashes of argon2, which its own code starts after an await: they fill the pool, and a read queues behind them.
const fs = require('node:fs');
const argon2 = require('argon2');

for (let i = 0; i < 8; i++) argon2.hash(`pw${i}`, { timeCost: 3, memoryCost: 1 << 15 });
setTimeout(() => fs.readFile(__filename, () => undefined), 10);
