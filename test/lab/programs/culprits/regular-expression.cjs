// A regular expression that tries everything.
const evil = /^(\d+\s?)+$/;
function isList(text, until) {
	while (process.cpuUsage().user < until) evil.test(text); // computes
}
let left = 6;
const timer = setInterval(() => {
	isList(`${'1'.repeat(18)}x`, process.cpuUsage().user + 150_000); // calls
	if (--left === 0) clearInterval(timer);
}, 20);
