// Holds the event loop for 200 ms in a timer's callback while a hash, which that has started, is done and waits for its own.
const crypto = require('node:crypto');

setTimeout(() => {
	crypto.pbkdf2('password', 'salt', 10_000, 64, 'sha512', (error) => {
		if (error) throw error;
	});
	const end = performance.now() + 200;
	while (performance.now() < end);
}, 1);
