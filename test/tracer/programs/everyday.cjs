// Everyday CommonJS: some of each kind of asynchronous work, in an order that Node guarantees, and an exit by itself.
const crypto = require('node:crypto');
const fs = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');

process.nextTick(() => console.log('1 tick'));
Promise.resolve().then(() => console.log('2 microtask'));

async function work() {
	const text = await fs.promises.readFile(__filename, 'utf8');
	console.log(`3 file of ${text.length} characters`);
	await new Promise((resolve) => setImmediate(resolve));
	console.log('4 immediate');
	await sleep(5);
	console.log('5 timer');
	crypto.pbkdf2('password', 'salt', 1000, 32, 'sha512', (error, key) => {
		if (error) throw error;
		console.log(`6 key ${key.toString('hex')}`);
		console.error('7 something on stderr, without a newline at the end');
		process.stderr.write('…');
	});
}

work();
