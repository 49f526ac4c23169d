// Starts a child that nothing can bring a tracer into: its environment is empty, so it reads none of the variables. And one that is no Node.
const { spawn } = require('node:child_process');

spawn(process.execPath, ['--eval', 'setTimeout(() => {}, 100)'], { env: {} });
spawn('sleep', ['0.1']);
