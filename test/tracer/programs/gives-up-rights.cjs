// Gives up root's rights, as servers do once they listen, works on for longer than a generation of its journal, and prints how often it has worked.
const fs = require('node:fs');

let times = 0;
const began = performance.now();
process.setgid(65534);
process.setuid(65534);
const working = setInterval(() => {
	times++;
	fs.stat('/', () => undefined);
	if (performance.now() - began < 2500) return;
	clearInterval(working);
	console.log(times);
}, 20);
