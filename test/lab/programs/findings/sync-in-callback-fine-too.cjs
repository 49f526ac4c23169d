// A callback that takes long because it computes. It only schedules what reads at once, and that is short.
const fs = require('node:fs');

setTimeout(() => {
	const end = performance.now() + 200;
	while (performance.now() < end);
	setTimeout(() => fs.statSync(__filename), 10);
}, 10);
