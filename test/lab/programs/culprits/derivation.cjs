// A function of Node's that computes, from a promise's continuation.
const crypto = require('node:crypto');
const { setTimeout: sleep } = require('node:timers/promises');
function hash(password, until) {
	while (process.cpuUsage().user < until) crypto.pbkdf2Sync(password, 'salt', 20_000, 64, 'sha512'); // computes
}
async function register() {
	await sleep(5);
	return hash('password', process.cpuUsage().user + 150_000); // calls
}
(async () => {
	for (let i = 0; i < 6; i++) await register();
})();
