// One timer's callback computes for 300 ms of the processor's time while three others become due: where the machine stops it, it has no less to compute.
function compute() {
	const end = process.cpuUsage().user + 300_000;
	while (process.cpuUsage().user < end) for (let i = 0; i < 100_000; i++) Math.sqrt(i);
}
setTimeout(() => compute(), 50);
for (let k = 0; k < 3; k++) setTimeout(() => undefined, 100);
