// Holds the event loop until the file named in FREE_FILE appears, and then waits for the one named in STOP_FILE.
const fs = require('node:fs');

const { FREE_FILE, STOP_FILE } = process.env;

setTimeout(() => {
	while (!fs.existsSync(FREE_FILE)) {
		const end = performance.now() + 50;
		while (performance.now() < end);
	}
	const timer = setInterval(() => fs.existsSync(STOP_FILE) && clearInterval(timer), 20);
}, 300);
