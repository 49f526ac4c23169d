// Holds the event loop for 200 ms of a processor in a timer's callback while a hash, which that has started, is done and waits for its own. The hash is
// a short one: on a busy machine a longer one is not done by then.
const crypto = require('node:crypto');

setTimeout(() => {
	crypto.pbkdf2('password', 'salt', 10, 64, 'sha512', (error) => {
		if (error) throw error;
	});
	const end = process.cpuUsage().user + 200_000;
	while (process.cpuUsage().user < end);
}, 1);
