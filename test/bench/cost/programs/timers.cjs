// 20,000 timers at once, five times.
const { measure } = require('./measure.cjs');

const end = measure();
const rounds = 5;
const timers = 20_000;
let left = rounds;
(function round() {
	let fired = 0;
	for (let i = 0; i < timers; i++) {
		setTimeout(() => {
			if (++fired < timers) return;
			if (--left > 0) round();
			else end(rounds * timers);
		}, i % 20);
	}
})();
