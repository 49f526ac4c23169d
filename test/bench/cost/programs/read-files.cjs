// `fs.promises.readFile` of a small file, 32 at a time.
const fs = require('node:fs');
const { measure } = require('./measure.cjs');

(async () => {
	for (let i = 0; i < 500; i++) await fs.promises.readFile(__filename);
	const end = measure();
	const rounds = 250;
	for (let i = 0; i < rounds; i++)
		await Promise.all(Array.from({ length: 32 }, () => fs.promises.readFile(__filename)));
	end(rounds * 32);
})();
