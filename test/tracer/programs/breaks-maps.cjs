// Breaks a built-in that the tracer needs, long after it was loaded: it has to take itself out.
const fs = require('node:fs');

fs.stat(__filename, () => {
	const { get } = Map.prototype;
	Map.prototype.get = () => {
		throw new TypeError('a broken Map');
	};
	fs.readFile(__filename, (error, text) => {
		Map.prototype.get = get;
		console.log(error, text.length > 0);
	});
});
