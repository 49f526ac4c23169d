// Freezes the built-ins, as hardened programs do, and replaces the global `Error`; who writes to the frozen ones gets an error.
const fs = require('node:fs');

class Hardened extends Error {}
const { Error: Original } = globalThis;
fs.stat(__filename, () => {
	globalThis.Error = Hardened;
	for (const name of [
		'Array',
		'Atomics',
		'Date',
		'Function',
		'Map',
		'Math',
		'Object',
		'Promise',
		'Set',
		'WeakMap',
		'WeakRef',
	]) {
		Object.freeze(globalThis[name].prototype);
		Object.freeze(globalThis[name]);
	}
	Object.freeze(Original);
	fs.stat(__filename, () => {
		fs.readFile(__filename, (error, text) =>
			setTimeout(() => console.log(error, text.length > 0, new Hardened('own').stack.split('\n')[0]), 10),
		);
	});
});
