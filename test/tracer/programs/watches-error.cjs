// Counts who reads or writes the two properties of `Error` by which stacks are formatted.
let reads = 0;
let writes = 0;
for (const [name, value] of [
	['prepareStackTrace', undefined],
	['stackTraceLimit', 10],
]) {
	Object.defineProperty(Error, name, {
		get() {
			reads++;
			return value;
		},
		set() {
			writes++;
		},
	});
}
for (let i = 0; i < 50; i++) setTimeout(() => undefined, i);
setTimeout(() => console.log(`${reads} reads, ${writes} writes`), 80);
