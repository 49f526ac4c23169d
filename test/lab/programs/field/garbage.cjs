// Collections of a large heap block the loop, and make an interval late. Prints how long they took, in ms.
const keep = [];
for (let i = 0; i < 1.2e6; i++) keep.push({ i, s: `k${i}`, a: [i] });
let collected = 0;
let rounds = 0;
function round() {
	const from = performance.now();
	globalThis.gc();
	collected += performance.now() - from;
	if (++rounds < 5) return void setTimeout(round, 30);
	clearInterval(interval);
	// The collections of the loop's last turn are not known.
	setTimeout(() => console.log(collected), 30);
}
const interval = setInterval(() => keep.length, 10);
setTimeout(round, 30); // begins
