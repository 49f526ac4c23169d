// 20,000 questions to the file system, 20 at a time.
const fs = require('node:fs');

let rounds = 1000;

function round() {
	if (rounds-- === 0) return;
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
