// Holds the event loop for nine seconds, and then waits for the file named in STOP_FILE.
const fs = require('node:fs');

setTimeout(() => {
	const end = performance.now() + 9000;
	while (performance.now() < end);
	const timer = setInterval(() => fs.existsSync(process.env.STOP_FILE) && clearInterval(timer), 20);
}, 300);
