// Forks a child that hashes, and hashes itself: two processes of one session.
const crypto = require('node:crypto');
const { fork } = require('node:child_process');

if (process.argv[2] !== 'child') fork(__filename, ['child']);
crypto.pbkdf2('password', 'salt', 40_000, 64, 'sha512', (error) => {
	if (error) throw error;
});
