// Thousands of reads at once, as promises and with callbacks: the loop that starts and completes them is the limit.
const fs = require('node:fs');

/** So many that the last ones queue for more than a tenth of a second on a fast machine, too. */
const READS = 15_000;

async function main() {
	await Promise.all(Array.from({ length: READS }, () => fs.promises.readFile(__filename)));
	await Promise.all(Array.from({ length: READS }, () => new Promise((done) => fs.readFile(__filename, done))));
}
main();
