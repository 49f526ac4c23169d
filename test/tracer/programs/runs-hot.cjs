// Starts operations as fast as it can until the file HOT_UNTIL is there, then few until REST_UNTIL is, and prints how many of each line called
// back and how long the waits of the timers were. Immediates never leave the loop idle, so that the tracer's share of the time is the same on a
// slow machine and a fast one. ARGS: HOT_UNTIL, REST_UNTIL.
const { existsSync, stat } = require('node:fs');

const [hotUntil, restUntil] = process.argv.slice(2);
const now = () => performance.now();
/** To look for a file takes as long as many operations. */
const LOOK_MS = 100;
const TIMERS = 20;
const counts = { immediates: 0, timers: 0, ticks: 0, rounds: 0 };
let waited = 0;
let pending = 0;
let looked = now();
let isHot = true;

function round() {
	counts.rounds++;
	if (now() - looked > LOOK_MS) {
		looked = now();
		isHot = !existsSync(hotUntil);
	}
	for (let k = 0; k < 20; k++) {
		setImmediate(() => {
			counts.immediates++;
			process.nextTick(() => counts.ticks++);
		});
	}
	while (isHot && pending < TIMERS) {
		const started = now();
		pending++;
		setTimeout(() => {
			pending--;
			counts.timers++;
			waited += now() - started;
		}, 1);
	}
	if (isHot || pending > 0) setImmediate(round);
	else rest();
}

// A timer that the round itself set here could be counted to the round's other timers: lines are verified less often by then.
function rest() {
	stat(restUntil, (error) => {
		if (error === null) console.log(JSON.stringify({ ...counts, waited }));
		else setTimeout(rest, LOOK_MS);
	});
}

round();
