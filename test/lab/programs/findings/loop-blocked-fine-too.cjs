// The same computation while the program starts: nothing is served yet, and the timers are only late once.
function compute() {
	const end = process.cpuUsage().user + 300_000;
	while (process.cpuUsage().user < end) for (let i = 0; i < 100_000; i++) Math.sqrt(i);
}
for (let k = 0; k < 3; k++) setTimeout(() => undefined, 100);
compute();
