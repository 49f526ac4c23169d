// Looks at zlib from all sides: what it makes, its errors' traces, and the native class behind its streams.
const zlib = require('node:zlib');

const { write } = Object.getPrototypeOf(zlib.createGzip()._handle);
console.log(
	write.name,
	write.length,
	'prototype' in write,
	Object.keys(Object.getPrototypeOf(zlib.createGzip()._handle)),
);

zlib.gunzip('not compressed', (error) => {
	console.log(error.code, error.stack, new Error('in the callback').stack);
	const stream = zlib.createBrotliDecompress();
	stream.on('error', (error) => console.log(error.code, error.stack));
	// One after the other: the pool's threads end in any order.
	stream.on('close', () => zlib.deflate('text', (_error, packed) => console.log(packed.toString('hex'))));
	stream.end(zlib.brotliCompressSync('text').subarray(0, 4));
});
