// A chain of ticks: a resource that carries its origin on and leaves no record.
const { measure } = require('./measure.cjs');

const TICKS = 10_000;

measure(
	() =>
		new Promise((resolve) => {
			let left = TICKS;
			(function next() {
				if (left-- > 0) process.nextTick(next);
				else resolve(TICKS);
			})();
		}),
);
