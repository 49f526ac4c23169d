// Small work on the pool and on timers, in rounds of 20 operations: as many rounds as asked for, or for two seconds, which is enough for several
// generations of a journal. ARGS: [ROUNDS].
const fs = require('node:fs');

const rounds = Number(process.argv[2] ?? Infinity);
const until = performance.now() + (rounds === Infinity ? 2000 : Infinity);
let begun = 0;

function round() {
	if (begun === rounds || performance.now() > until) return;
	begun++;
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
