// Starts nothing for a while, until the file named in STOP_FILE appears: it blocks the loop instead.
const fs = require('node:fs');

while (!fs.existsSync(process.env.STOP_FILE)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
