// `fs.promises.readFile` of a small file, 32 at a time.
const fs = require('node:fs');
const { measure } = require('./measure.cjs');

measure(async () => {
	await Promise.all(Array.from({ length: 32 }, () => fs.promises.readFile(__filename)));
	return 32;
});
