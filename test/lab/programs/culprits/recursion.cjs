// A timer's callback calls a function that calls itself.
const fibonacci = (n) => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)); // computes
function answer() {
	const until = process.cpuUsage().user + 150_000;
	while (process.cpuUsage().user < until) fibonacci(25); // calls
}
let left = 6;
const timer = setInterval(() => {
	answer();
	if (--left === 0) clearInterval(timer);
}, 20);
