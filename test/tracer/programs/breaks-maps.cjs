// Breaks a built-in that the tracer needs, long after it was loaded: it has to take itself out.
const fs = require('node:fs');

// The tracer's own, which its getter leads to; bare, the program's.
const { get: getter } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(process), 'emit') ?? {
	get: () => undefined,
};
const { prototype } = getter.constructor('return Map')();

fs.stat(__filename, () => {
	const { get } = prototype;
	prototype.get = () => {
		throw new TypeError('a broken Map');
	};
	fs.readFile(__filename, (error, text) => {
		prototype.get = get;
		console.log(error, text.length > 0);
	});
});
