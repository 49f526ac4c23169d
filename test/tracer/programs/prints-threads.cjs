// Prints the names of its threads (Linux), once one of them has the name that its argument is; else after a while. A thread names itself, some time after it
// was made.
const fs = require('node:fs');

const wanted = process.argv[2];
const name = (task) => {
	try {
		return fs.readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim();
	} catch {
		return 'has just ended';
	}
};

/** @param left how often it looks before it gives up; a test that waits for a name gives up itself */
function look(left) {
	const names = fs.readdirSync('/proc/self/task').map(name);
	if (left === 0 || names.includes(wanted)) console.log(names.join());
	else setTimeout(look, 20, left - 1);
}

look(wanted === undefined ? 20 : Infinity);
