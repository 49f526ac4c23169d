// The variable is set before anything has used the pool.
const fs = require('node:fs');

process.env.UV_THREADPOOL_SIZE = '8';
fs.stat(__filename, () => fs.stat(__filename, () => undefined));
