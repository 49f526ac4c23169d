// 20,000 timers from one loop.
const { measure } = require('./measure.cjs');

const TIMERS = 20_000;

measure(
	() =>
		new Promise((resolve) => {
			let fired = 0;
			const fire = () => ++fired === TIMERS && resolve(TIMERS);
			for (let i = 0; i < TIMERS; i++) setTimeout(fire, i % 20);
		}),
);
