// Holds the event loop for 200 ms in a timer's callback while a hash is done and waits for its own.
const crypto = require('node:crypto');

crypto.pbkdf2('password', 'salt', 20_000, 64, 'sha512', (error) => {
	if (error) throw error;
});
setTimeout(() => {
	const end = performance.now() + 200;
	while (performance.now() < end);
}, 1);
