// Forks a program that asks for a pool size too late, and asks for none itself.
require('node:child_process').fork(require.resolve('./late-pool.cjs'));
