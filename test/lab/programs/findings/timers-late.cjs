// Turns of 30 ms, too short for a block, keep the loop busy: an interval of 10 ms fires three times too late each time.
let fired = 0;
const interval = setInterval(() => {
	if (++fired === 10) clearInterval(interval);
}, 10);

function turn() {
	const end = performance.now() + 30;
	while (performance.now() < end);
	if (fired < 10) setImmediate(turn);
}
setImmediate(turn);
