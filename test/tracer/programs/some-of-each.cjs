// For the programs of harmless-kinds.test.ts: a callback of each sort, one after the other, through functions that were taken before the program did
// anything to them.
const { pbkdf2 } = require('node:crypto');
const fs = require('node:fs');
const { gzip } = require('node:zlib');

const { nextTick } = process;
const { setImmediate, setTimeout, queueMicrotask } = globalThis;
const { readFile, stat, writeSync } = fs;

/** Prints a line, at once. */
exports.say = (text) => writeSync(1, `${text}\n`);

/** Takes longer than the tracer's pause until it writes what it has recorded. */
exports.work = (done) => {
	stat(__filename, () =>
		setTimeout(
			() =>
				setImmediate(() =>
					nextTick(() =>
						queueMicrotask(() => pbkdf2('a', 'b', 1, 10, 'sha1', () => gzip('text', () => readFile(__filename, done)))),
					),
				),
			250,
		),
	);
};
