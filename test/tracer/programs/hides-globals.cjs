// Hides the globals that a preload may use, and breaks functions of Node's modules, as a test does that plays another platform. Whoever took
// what it needs before that goes on.
const { pbkdf2 } = require('node:crypto');
const fs = require('node:fs');

const { stat, writeSync } = fs;
const { readFile } = fs.promises;
const { process, setImmediate, setTimeout, Reflect: reflect, TypeError: Wrong } = globalThis;
const say = (text) => writeSync(1, `${text}\n`);

function broken() {
	throw new Wrong('called by somebody else');
}
for (const [name, functions] of [
	['node:async_hooks', ['executionAsyncResource', 'executionAsyncId', 'createHook']],
	['node:fs', ['closeSync', 'fstatSync', 'openSync', 'readFileSync', 'readSync', 'statSync', 'writeSync']],
	['node:module', ['findSourceMap']],
	['node:path', ['basename', 'join']],
	['node:url', ['fileURLToPath']],
	['node:vm', ['createContext', 'runInContext']],
]) {
	for (const each of functions) require(name)[each] = broken;
}
reflect.defineProperty(process, 'env', { get: broken });
for (const name of ['hrtime', 'kill', 'binding', 'getBuiltinModule']) process[name] = broken;
performance.now = broken;
Date.now = broken;
const hidden =
	'Array Atomics BigInt Buffer Date Error Float64Array Function Int32Array JSON Map Math Number Object Promise Proxy ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol URL WeakMap WeakRef WeakSet decodeURIComponent encodeURI performance process queueMicrotask setImmediate setTimeout';
let count = 0;
for (const name of hidden.split(' ')) if (reflect.defineProperty(globalThis, name, { value: undefined })) count++;
say(`${count} are hidden, such as ${typeof process} and ${typeof globalThis.process}`);

stat(__filename, (error, stats) => {
	say(`a callback ${error} ${stats.size > 0}`);
	pbkdf2('password', 'salt', 10, 10, 'sha1', (_error, key) => {
		say(`a key of ${key.length} bytes`);
		setTimeout(() => {
			setImmediate(() => {
				say('an immediate');
				readFile(__filename).then((text) => say(`a promise ${text.length > 0}`));
			});
		}, 250);
	});
});
process.on('exit', () => say('the end'));
