// Two seconds of small work on the pool and on timers: enough for several generations of a journal.
const fs = require('node:fs');

const until = performance.now() + 2000;

function round() {
	if (performance.now() > until) return;
	let left = 20;
	for (let k = 0; k < 20; k++) {
		fs.stat(__filename, (error) => {
			if (error) throw error;
			left--;
			if (left === 0) setTimeout(round, 1);
		});
	}
}

round();
