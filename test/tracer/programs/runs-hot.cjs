// Starts as many operations as it can for some seconds, then few, and prints how many of each line called back and how long the waits
// of the timers were. ARGS: seconds of heat, seconds of rest.
const [hotMs, restMs] = process.argv.slice(2).map((seconds) => Number(seconds) * 1000);
const now = () => performance.now();
const counts = { immediates: 0, timers: 0, ticks: 0, rounds: 0 };
let waited = 0;
const hotUntil = now() + hotMs;

function round() {
	counts.rounds++;
	let left = 40;
	const done = () => {
		if (--left > 0) return;
		if (now() < hotUntil) setImmediate(round);
		else rest(now() + restMs);
	};
	for (let k = 0; k < 20; k++) {
		setImmediate(() => {
			counts.immediates++;
			process.nextTick(() => counts.ticks++);
			done();
		});
		const started = now();
		setTimeout(() => {
			counts.timers++;
			waited += now() - started;
			done();
		}, 1);
	}
}

function rest(until) {
	if (now() < until) setTimeout(rest, 100, until);
	else console.log(JSON.stringify({ ...counts, waited }));
}

round();
