// A timer that is set again (`refresh`) while it waits, beside timers that are not. Prints how long it was from the last `refresh` to its callback, in ms, and
// how long from its start.
const set = performance.now();
let last = set;

const idle = setTimeout(() => {
	const now = performance.now();
	clearInterval(keeping);
	console.log(JSON.stringify({ sinceRefresh: now - last, sinceSet: now - set }));
}, 40); // refreshed

let refreshes = 0;
const keeping = setInterval(() => {
	if (++refreshes > 8) return;
	last = performance.now();
	idle.refresh();
}, 15);

for (let i = 0; i < 5; i++) {
	setTimeout(() => undefined, 10); // not refreshed
}
