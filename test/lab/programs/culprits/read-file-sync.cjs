// A function of Node's that waits for the disk.
const fs = require('node:fs');
function load(until) {
	let bytes = 0;
	while (process.cpuUsage().system < until) bytes += fs.readFileSync(process.execPath).length; // computes
	return bytes;
}
let left = 6;
const timer = setInterval(() => {
	load(process.cpuUsage().system + 150_000); // calls
	if (--left === 0) clearInterval(timer);
}, 20);
