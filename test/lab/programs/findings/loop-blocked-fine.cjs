// The same computation, but nothing waits meanwhile: the others start when it is over.
function compute() {
	const end = performance.now() + 300;
	while (performance.now() < end);
}
setTimeout(() => {
	compute();
	for (let k = 0; k < 3; k++) setTimeout(() => undefined, 100);
}, 50);
