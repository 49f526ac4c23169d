// A function that mostly computes itself, and before that calls another one, which takes a quarter of the time.
let rounds = 0;

function head(end) {
	let sum = 0;
	while (process.cpuUsage().user < end) for (let i = 0; i < 100_000; i++) sum += Math.sqrt(i);
	return sum;
}

function summary(from) {
	let sum = head(from + 60_000);
	const end = from + 240_000;
	while (process.cpuUsage().user < end) for (let i = 0; i < 100_000; i++) sum += Math.sqrt(i); // computes
	return sum;
}

const timer = setInterval(() => {
	summary(process.cpuUsage().user); // calls
	if (++rounds === 6) clearInterval(timer);
}, 10);
