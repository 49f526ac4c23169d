// Opens a pipe on a pool that it has set to one thread, which takes until somebody writes there. Four more jobs wait for the thread meanwhile.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('node:fs');

fs.open(process.argv[2], () => undefined);
for (let count = 0; count < 4; count++) fs.stat('/', () => undefined);
// The test is over, and nobody has come. Such a thread keeps a process from ending by itself.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300_000).unref();
