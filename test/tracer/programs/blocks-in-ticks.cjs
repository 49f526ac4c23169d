// Blocks its loop in ticks and microtasks, 100 ms each; each place has its own line in the report.
const fs = require('node:fs');

function hold() {
	const until = process.hrtime.bigint() + 100_000_000n;
	while (process.hrtime.bigint() < until);
}

process.nextTick(() => hold(), 'in the main script');
setTimeout(() => {
	queueMicrotask(() => hold());
	setTimeout(itself, 10);
}, 10);

function itself() {
	hold();
	process.nextTick(hold, 'after a callback that blocked it too');
	setTimeout(file, 10);
}

function file() {
	fs.stat(__filename, () => {
		process.nextTick(() => undefined, 'a short one');
		process.nextTick(() => process.nextTick(hold, 'in a tick'));
	});
}
