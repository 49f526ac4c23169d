// Hashes round after round, appends a mark for each to COUNT_FILE, and ends after the fifth as ENDING says.
const crypto = require('node:crypto');
const fs = require('node:fs');

let rounds = 0;
round();

function round() {
	crypto.pbkdf2('password', 'salt', 40_000, 64, 'sha512', () => {
		fs.appendFileSync(process.env.COUNT_FILE, '|');
		if (++rounds === 5) end();
		setTimeout(round, 20);
	});
}

function end() {
	if (process.env.ENDING === 'exit') process.exit(3);
	if (process.env.ENDING === 'throw') throw new Error('on purpose');
	if (process.env.ENDING === 'kill') process.kill(process.pid, 'SIGKILL');
	if (process.env.ENDING === 'crash') process.kill(process.pid, 'SIGSEGV');
}
