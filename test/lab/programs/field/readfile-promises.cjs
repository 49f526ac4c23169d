// Thousands of reads at once, as promises and with callbacks: the loop that starts and completes them is the limit.
const fs = require('node:fs');

async function main() {
	await Promise.all(Array.from({ length: 6000 }, () => fs.promises.readFile(__filename)));
	await Promise.all(Array.from({ length: 6000 }, () => new Promise((done) => fs.readFile(__filename, done))));
}
main();
