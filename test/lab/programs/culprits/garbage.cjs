// Allocates and keeps enough for V8 to collect most of the time.
const kept = [];
function fill(until) {
	while (performance.now() < until) kept.push({ at: kept.length, name: `item ${kept.length}`, tags: [kept.length] }); // computes
}
let left = 6;
const timer = setInterval(() => {
	fill(performance.now() + 150); // calls
	if (--left === 0) clearInterval(timer);
}, 20);
