// Seed 7, the cap on slow work: of n pool threads at most (n + 1) / 2 resolve names at once, though all of them are
// free. The argument is a FIFO: opening it for reading blocks a pool thread, so one open per thread occupies the whole
// pool until all lookups are queued; opening the other end then frees every thread at the same moment.
const dns = require('node:dns');
const fs = require('node:fs');

const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
const fifo = process.argv[2];
const lookups = 400;

for (let k = 0; k < threads; k++) {
	fs.open(fifo, 'r', (error, fd) => {
		if (error) throw error;
		fs.closeSync(fd);
	});
}

const from = performance.now();
let answered = 0;
for (let k = 0; k < lookups; k++) {
	dns.lookup('localhost', (error) => {
		if (error) throw error;
		answered++;
		if (answered === lookups) console.log(`all lookups: ${from.toFixed(1)} to ${performance.now().toFixed(1)} ms`);
	});
}

const writer = fs.openSync(fifo, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
process.on('exit', () => fs.closeSync(writer));
