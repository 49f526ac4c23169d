// A chain of immediates: an operation with all its records and a turn of the loop each.
const { measure } = require('./measure.cjs');

const IMMEDIATES = 1000;

measure(
	() =>
		new Promise((resolve) => {
			let left = IMMEDIATES;
			(function next() {
				if (left-- > 0) setImmediate(next);
				else resolve(IMMEDIATES);
			})();
		}),
);
