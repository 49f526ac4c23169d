// An interval in a loop that sleeps between.
let fired = 0;
const interval = setInterval(() => {
	if (++fired === 20) clearInterval(interval);
}, 25);
