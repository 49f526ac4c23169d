// Five equal hashes, one line, and a pool of two threads: two run at once, the others queue.
// Run it with "Waitline: Debug with Async Profile" and look behind the lines. Then change the 2 to a 4 and run it again.
process.env.UV_THREADPOOL_SIZE = '2';

const crypto = require('node:crypto');
const fs = require('node:fs');

for (let k = 1; k <= 5; k++) {
	crypto.pbkdf2('password', 'salt', 100_000, 512, 'sha512', done);
}

function done() {
	console.log('hash');
}

// A read of a small file takes microseconds, but it stands in the same queue.
fs.readFile(__filename, () => console.log('file'));

// A timer needs no thread. Nothing is in its way until the loop below holds the event loop.
setTimeout(() => console.log('timer'), 500);

setTimeout(() => {
	const end = Date.now() + 200;
	while (Date.now() < end);
}, 400);
