// Two lines that want the same pool threads, and a report that blocks the event loop.
const { pbkdf2, pbkdf2Sync } = require('node:crypto');
const { readFile } = require('node:fs/promises');
const { promisify } = require('node:util');

const hash = promisify(pbkdf2);

async function signIn(user) {
	await readFile(__filename);
	await hash(user, 'salt', 60_000, 64, 'sha512');
}

async function report() {
	await new Promise((resolve) => setTimeout(resolve, 500));
	pbkdf2Sync('total', 'salt', 100_000, 64, 'sha512');
}

async function serve() {
	for (let round = 0; round < 4; round++) {
		const users = Array.from({ length: 10 }, (_, number) => signIn(`user ${number}`));
		await Promise.all([...users, report()]);
	}
}

serve();
