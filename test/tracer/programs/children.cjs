// Starts one child in the way that its argument names, and prints its own process id and the child's output.
const { exec, execFile, fork, spawn } = require('node:child_process');
const { Worker } = require('node:worker_threads');

const SAY = 'setTimeout(() => console.log(process.pid), 20)';
const ways = {
	fork: () => fork(__filename, ['say'], { stdio: 'pipe' }),
	spawn: () => spawn(process.execPath, [__filename, 'say']),
	execFile: () => execFile(process.execPath, [__filename, 'say']),
	// The shell has another command to run, so it stays between.
	exec: () => exec(`"${process.execPath}" "${__filename}" say; exit 0`),
	'no environment': () => spawn(process.execPath, [__filename, 'say'], { env: {} }),
	'another runtime': () => spawn('/bin/sh', ['-c', 'echo $$']),
	nothing: () => spawn('/no/such/program').on('error', (error) => console.log(error.code)),
	'a Worker without environment': () => new Worker(SAY, { eval: true, env: {}, stdout: true }),
	// The tracer comes by NODE_OPTIONS.
	'a Worker with no arguments for Node': () => new Worker(SAY, { eval: true, execArgv: [], stdout: true }),
	'a Worker that shares the environment': () =>
		new Worker(SAY, { eval: true, env: require('node:worker_threads').SHARE_ENV, stdout: true }),
	// As `vitest` and other tools do it: with an environment of their own that contains all of the program's.
	'a Worker with a copy of the environment': () =>
		new Worker(SAY, { eval: true, env: { ...process.env, OTHER: '1' }, stdout: true }),
};

if (process.argv[2] === 'say') setTimeout(() => console.log(process.pid), 20);
else {
	console.log(process.pid);
	ways[process.argv[2]]().stdout?.on('data', (text) => process.stdout.write(text));
}
