// A regular expression that tries everything.
const evil = /^(\d+\s?)+$/;
function isList(text) {
	return evil.test(text); // computes
}
let left = 6;
const timer = setInterval(() => {
	isList(`${'1'.repeat(24)}x`); // calls
	if (--left === 0) clearInterval(timer);
}, 20);
