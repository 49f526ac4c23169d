// A function of Node's that waits for the disk.
const fs = require('node:fs');
function load(times) {
	let bytes = 0;
	for (let i = 0; i < times; i++) bytes += fs.readFileSync(process.execPath).length; // computes
	return bytes;
}
let left = 6;
const timer = setInterval(() => {
	load(5); // calls
	if (--left === 0) clearInterval(timer);
}, 20);
