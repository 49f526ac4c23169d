// Files, hashes, compression, names and timers, to their end: the pool queues, and no loop is blocked for long.
const crypto = require('node:crypto');
const dns = require('node:dns');
const fs = require('node:fs');
const zlib = require('node:zlib');

// As few rounds as fill the pool of four threads and more: what is mutated is what a recording has of each kind, and long ones only take longer to read.
let left = 7;
function next() {
	if (left <= 0) return;
	left--;
	fs.readFile(__filename, (_error, text) => {
		crypto.pbkdf2(text, 'salt', 500, 32, 'sha256', () => {
			zlib.deflate(text, () => setTimeout(next, 1));
		});
	});
}
for (let i = 0; i < 6; i++) next();
for (let i = 0; i < 3; i++) dns.lookup('localhost', () => setImmediate(next));
fs.promises.stat(__dirname).then(() => fs.promises.readdir(__dirname));
