// Loads the file named in USED_FILE at once and calls it when the one named in GO_FILE is there: that one's waits come long after it was read.
const { existsSync } = require('node:fs');
const use = require(process.env.USED_FILE);

const timer = setInterval(() => {
	if (!existsSync(process.env.GO_FILE)) return;
	clearInterval(timer);
	use();
}, 20);
