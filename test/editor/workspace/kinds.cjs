// A line for each look of an annotation: three classes, two of them on one line, a blocked loop, a line with hardly a wait.
const crypto = require('node:crypto');
const fs = require('node:fs');

crypto.pbkdf2('password', 'salt', 200_000, 64, 'sha512', done);
setTimeout(done, 400);
// biome-ignore format: both operations belong on one line
Promise.all([new Promise((resolve) => fs.readFile(__filename, resolve)), new Promise((resolve) => setTimeout(resolve, 30))]);
setTimeout(spin, 100);
setImmediate(done);

function spin() {
	const end = performance.now() + 150;
	while (performance.now() < end);
}

function done(error) {
	if (error) throw error;
}
