// Run with --expose-gc and --trace-gc: collects a large heap for 80 ms in one callback, works for 80 ms in another, and prints last
// what its own clock says of the collections.

// Collections are counted from the first operation on.
setTimeout(collect, 100);
const kept = Array.from({ length: 400_000 }, (_, k) => ({ k, next: [k] }));
const now = () => performance.now();

function collect() {
	const from = now();
	let longest = 0;
	let total = 0;
	while (now() - from < 80) {
		const began = now();
		globalThis.gc();
		longest = Math.max(longest, now() - began);
		total += now() - began;
	}
	setTimeout(work, 200, { longest, total });
}

function work(collections) {
	const from = now();
	while (now() - from < 80);
	setTimeout(printCollections, 200, collections);
}

function printCollections({ longest, total }) {
	console.log(JSON.stringify({ longest, total, kept: kept.length }));
}
