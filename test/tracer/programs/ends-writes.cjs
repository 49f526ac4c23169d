// Preloaded before the tracer: ends a write of its journal as V8 may, before, in or after it.
const fs = require('node:fs');

const { writeSync } = fs;
/** How the next write ends; undefined for one that does not. */
globalThis.writeEnds = undefined;
fs.writeSync = (fd, bytes, from, length) => {
	const how = globalThis.writeEnds;
	globalThis.writeEnds = undefined;
	if (how !== 'before') {
		const size = how === 'in' || how === 'overflow' ? length >> 1 : length;
		writeSync(fd, bytes, from, size);
	}
	if (how === 'overflow') throw new RangeError('Maximum call stack size exceeded');
	while (how !== undefined);
	return length;
};
