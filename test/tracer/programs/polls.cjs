// Three callbacks behind a long one: two timers of the same turn of the loop, and an immediate of the next.
setTimeout(() => {
	const end = performance.now() + 5;
	while (performance.now() < end);
	setImmediate(() => setImmediate(() => undefined));
}, 1);
setTimeout(() => undefined, 1);
setTimeout(() => undefined, 1);
const end = performance.now() + 5;
while (performance.now() < end);
