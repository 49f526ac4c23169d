// Loads a file at once and calls it when the file named in GO_FILE is there: that one's waits come long after it was read.
const { existsSync } = require('node:fs');
const use = require('./used-later.cjs');

const timer = setInterval(() => {
	if (!existsSync(process.env.GO_FILE)) return;
	clearInterval(timer);
	use();
}, 20);
