// A regular expression that tries everything.
const evil = /^(\d+\s?)+$/;
function isList(text, until) {
	while (performance.now() < until) evil.test(text); // computes
}
let left = 6;
const timer = setInterval(() => {
	isList(`${'1'.repeat(18)}x`, performance.now() + 150); // calls
	if (--left === 0) clearInterval(timer);
}, 20);
