// Hashes one round after the other until the file named in STOP_FILE appears, then writes the number of rounds into it. Prints a
// mark per round.
const crypto = require('node:crypto');
const fs = require('node:fs');

let rounds = 0;
console.log('started');
round();

function round() {
	if (fs.existsSync(process.env.STOP_FILE)) {
		fs.writeFileSync(process.env.STOP_FILE, String(rounds));
		return;
	}
	crypto.pbkdf2('password', 'salt', 40_000, 64, 'sha512', (error) => {
		if (error) throw error;
		rounds++;
		process.stdout.write('|');
		setTimeout(round, 20);
	});
}
