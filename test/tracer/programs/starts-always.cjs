// Starts immediates all the time, so that a tracer is at work most of it, and prints how many have called back. Ends when
// `globalThis.ends` is set.
let count = 0;
globalThis.ends = false;

setImmediate(function again() {
	count++;
	if (globalThis.ends) console.log(count);
	else setImmediate(again);
});
