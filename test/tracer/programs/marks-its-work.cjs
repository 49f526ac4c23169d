// Looks at a file again and again and writes a mark to stderr when it has the answer: 30 times. Then it rests, and ends a second later.
const fs = require('node:fs');

look(30);

function look(left) {
	if (left === 0) {
		setTimeout(Boolean, 1000);
		return;
	}
	fs.stat(__filename, (error) => {
		if (error) throw error;
		process.stderr.write('+');
		setTimeout(look, 5, left - 1);
	});
}
