// Starts operations at a steady rate (RATE of them a second, from ten lines) until the file named in STOP_FILE appears, then
// writes into it how many it started.
const fs = require('node:fs');

const TICK_MS = 10;
const start = performance.now();
let started = 0;

setInterval(() => {
	if (fs.existsSync(process.env.STOP_FILE)) {
		fs.writeFileSync(process.env.STOP_FILE, String(started));
		process.exit();
	}
	const due = ((performance.now() - start) / 1000) * Number(process.env.RATE);
	while (started < due) {
		setImmediate(done);
		setImmediate(done);
		setImmediate(done);
		setImmediate(done);
		setTimeout(done, 1);
		setTimeout(done, 2);
		setTimeout(done, 5);
		setTimeout(done, 10);
		fs.stat(__filename, done);
		fs.stat(__dirname, done);
		started += 10;
	}
}, TICK_MS);

function done() {
	return undefined;
}
