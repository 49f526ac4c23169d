// Small work on the pool and on timers, in rounds of 20 operations: as many rounds as asked for, or for two seconds, which is enough for several
// generations of a journal, and until a file exists. ARGS: [ROUNDS [FILE]].
const fs = require('node:fs');

const rounds = Number(process.argv[2] ?? Infinity);
const until = performance.now() + (rounds === Infinity ? 2000 : Infinity);
const file = process.argv[3];
let begun = 0;

function round() {
	if (begun === rounds || (performance.now() > until && (file === undefined || fs.existsSync(file)))) return;
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
