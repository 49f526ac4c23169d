// A timer that is set again (`refresh`) while it waits, beside timers that are not. Prints how long it was from the last `refresh` to its callback, in ms, and
// how long from its start. It refreshes before the loop turns: a machine that stops in between could not make the timer due.
const set = performance.now();
let last = set;

const idle = setTimeout(() => {
	const now = performance.now();
	console.log(JSON.stringify({ sinceRefresh: now - last, sinceSet: now - set }));
}, 40); // refreshed

for (let i = 0; i < 5; i++) {
	setTimeout(() => undefined, 10); // not refreshed
}

for (let refreshes = 0; refreshes < 3; refreshes++) {
	while (performance.now() < last + 30);
	last = performance.now();
	idle.refresh();
}
