// Starts immediates all the time, on many lines, so that a tracer is at work most of it, and prints how many have called back. Ends when
// `globalThis.ends` is set.
let count = 0;
globalThis.ends = false;

const lines = [
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
	() => setImmediate(again),
];

function again() {
	count++;
	if (globalThis.ends) console.log(count);
	else lines[count % lines.length]();
}

again();
