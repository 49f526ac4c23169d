// Asks the same of one file all the time, and prints how often the answer was another one. Ends when `globalThis.ends` is set.
const fs = require('node:fs');

const { ino } = fs.statSync(__filename);
let wrong = 0;
globalThis.ends = false;

(function ask() {
	const until = performance.now() + 5;
	while (performance.now() < until) if (fs.statSync(__filename).ino !== ino) wrong++;
	if (globalThis.ends) console.log(wrong);
	else setImmediate(ask);
})();
