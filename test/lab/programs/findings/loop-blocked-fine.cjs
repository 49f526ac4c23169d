// The same computation, but nothing waits meanwhile: the others start when it is over.
function compute() {
	const end = process.cpuUsage().user + 300_000;
	while (process.cpuUsage().user < end) for (let i = 0; i < 100_000; i++) Math.sqrt(i);
}
setTimeout(() => {
	compute();
	for (let k = 0; k < 3; k++) setTimeout(() => undefined, 100);
}, 50);
