// Ticks that schedule each other keep the loop from turning: many short ones, a few long ones, and short ones of the main script. Prints how
// many ms passed between the first tick of each and the last.
const times = {};

function hold(ms) {
	const until = process.hrtime.bigint() + BigInt(ms) * 1_000_000n;
	while (process.hrtime.bigint() < until);
}

/** Whether `name` is to go on; counts its turns, and its time from the first tick on. */
function goesOn(name, turns) {
	const known = times[name];
	const now = process.hrtime.bigint();
	if (known === undefined) times[name] = { left: turns - 1, began: 0n, ms: 0 };
	else if (known.began === 0n) known.began = now;
	else known.ms = Number(now - known.began) / 1e6;
	return known === undefined || known.left-- > 0;
}

function early() {
	hold(1);
	if (goesOn('early', 200)) process.nextTick(early);
}

function short() {
	hold(1);
	if (goesOn('short', 200)) process.nextTick(short);
}

function long() {
	hold(60);
	if (goesOn('long', 4)) process.nextTick(long);
}

early();
setTimeout(() => {
	short();
	setTimeout(long, 10);
}, 10);
process.on('exit', () => {
	for (const name in times) times[name] = times[name].ms;
	console.log(JSON.stringify(times));
});
