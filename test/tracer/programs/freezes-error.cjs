// Freezes a built-in, as hardened programs do: whoever writes to it from then on gets an error.
const fs = require('node:fs');

fs.stat(__filename, () => {
	Object.freeze(Error);
	fs.stat(__filename, () => {
		fs.readFile(__filename, (error, text) =>
			console.log(error, text.length > 0, new Error('own').stack.split('\n')[0]),
		);
	});
});
