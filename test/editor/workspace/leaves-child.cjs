// Starts rounds.cjs as a process that outlives it and its terminal, with its output and its exit code in files beside it.
const { spawn } = require('node:child_process');

const command = 'node rounds.cjs >child.out 2>child.err; echo $? >child.code';
spawn('sh', ['-c', command], { cwd: __dirname, detached: true, stdio: 'ignore' }).unref();
