// A Worker that hashes; its thread has a loop and a journal of its own.
const crypto = require('node:crypto');
const { isMainThread, Worker } = require('node:worker_threads');

if (isMainThread) {
	new Worker(__filename);
} else {
	crypto.pbkdf2('password', 'salt', 20_000, 64, 'sha512', (error) => {
		if (error) throw error;
	});
}
