// One timer's callback computes for 300 ms while three others become due.
function compute() {
	const end = performance.now() + 300;
	while (performance.now() < end);
}
setTimeout(() => compute(), 50);
for (let k = 0; k < 3; k++) setTimeout(() => undefined, 100);
