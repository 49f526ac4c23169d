// Callbacks within callbacks; the work is in the last one.
const fs = require('node:fs');
function read(left) {
	fs.stat(__filename, () => {
		fs.readFile(__filename, 'utf8', (_error, text) => {
			count(text, process.cpuUsage().user + 150_000); // calls
			if (left > 1) read(left - 1);
		});
	});
}
function count(text, until) {
	let words = 0;
	while (process.cpuUsage().user < until) for (let i = 0; i < 100; i++) words += text.split(/\s+/).length; // computes
	return words;
}
read(6);
