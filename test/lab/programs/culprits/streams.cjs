// A transform in a pipeline computes for each chunk.
const { Readable, Transform, pipeline } = require('node:stream');
function encode(chunk, until) {
	let sum = 0;
	while (process.cpuUsage().user < until) for (const byte of chunk) sum = (sum + byte) % 65521; // computes
	return sum;
}
const transform = new Transform({
	transform(chunk, _encoding, done) {
		encode(chunk, process.cpuUsage().user + 150_000); // calls
		setImmediate(done, null, chunk);
	},
});
const chunks = Array.from({ length: 6 }, () => Buffer.alloc(10_000, 1));
pipeline(Readable.from(chunks), transform.resume(), () => undefined);
