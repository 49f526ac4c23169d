// zlib in its ways: each chunk that a stream is given is one operation on the line that made the stream. What a report must say of
// a line stands behind it (→): name, class and count of each entry. Lines without such a comment must have none.
const crypto = require('node:crypto');
const { pipeline } = require('node:stream/promises');
const util = require('node:util');
const zlib = require('node:zlib');

const done = (start) => new Promise(start);
/** Does not become smaller, so that zlib needs several jobs for it. */
const noise = crypto.randomBytes(100_000);
const drain = async (stream) => {
	let bytes = 0;
	for await (const chunk of stream) bytes += chunk.length;
	return bytes;
};

async function atOnce() {
	const packed = await new Promise((go) => zlib.gzip(noise, (_error, result) => go(result))); // → zlib.gzip threadpool 1
	await done((go) => zlib.gunzip(packed, go)); // → zlib.gunzip threadpool 1
	await util.promisify(zlib.deflateRaw)('text'); // → zlib.deflateRaw threadpool 1
	await done((go) => zlib.brotliCompress('text', go)); // → zlib.brotliCompress threadpool 1
	await Promise.all(Array.from({ length: 8 }, () => util.promisify(zlib.deflate)(noise))); // → zlib.deflate threadpool 8
	await done((go) => zlib.unzip('not compressed', () => go())); // → zlib.unzip threadpool 1
	zlib.gunzipSync(zlib.gzipSync(noise));
	zlib.brotliCompressSync('text');
}

async function inStreams() {
	const packing = zlib.createGzip(); // → zlib.createGzip threadpool 3
	const bytes = drain(packing);
	for (let i = 0; i < 3; i++) await done((go) => packing.write(noise, go));
	packing.end();
	await bytes;

	const unpacking = new zlib.Gunzip(); // → zlib.Gunzip threadpool 1
	unpacking.end(zlib.gzipSync('text'));
	await drain(unpacking);

	const flushed = zlib.createDeflate(); // → zlib.createDeflate threadpool 2
	flushed.resume();
	flushed.write('one');
	await done((go) => flushed.flush(go));
	await done((go) => flushed.end('two', go));

	const parts = async function* () {
		yield noise.subarray(0, 10);
		yield noise.subarray(10, 20);
	};
	const brotli = zlib.createBrotliCompress(); // → zlib.createBrotliCompress threadpool 2
	await pipeline(parts, brotli, drain);

	// Never written to, or closed before its job is done.
	zlib.createInflate().close();
	const closed = zlib.createInflateRaw();
	closed.close();
}

(async () => {
	await atOnce();
	await inStreams();
})();
