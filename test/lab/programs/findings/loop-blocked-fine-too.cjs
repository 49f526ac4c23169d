// The same computation while the program starts: nothing is served yet, and the timers are only late once.
function compute() {
	const end = performance.now() + 300;
	while (performance.now() < end);
}
for (let k = 0; k < 3; k++) setTimeout(() => undefined, 100);
compute();
