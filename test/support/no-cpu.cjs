// Preloaded into a program whose own times are taken for the truth: at its end it prints how long its main thread was ready to run
// and had no CPU. Each of the program's own times may be this much behind the truth. 0 where the system does not show it (other than Linux).
'use strict';
const { readFileSync } = require('node:fs');

/** The second number: ns waiting for a CPU (sched-stats.rst). */
function waitedNs() {
	try {
		return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]);
	} catch {
		return 0;
	}
}

const before = waitedNs();
process.on('exit', () => console.log(`no CPU for ${((waitedNs() - before) / 1e6).toFixed(3)} ms`));
