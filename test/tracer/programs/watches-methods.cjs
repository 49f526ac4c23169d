// Watches every method of the built-ins: whoever calls one is the program itself, or Node for it.
const { say, work } = require('./some-of-each.cjs');
const { Worker } = require('node:worker_threads');

const { apply, construct, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { call } = Function.prototype;
const includes = call.bind(String.prototype.includes);
const split = call.bind(String.prototype.split);
const watched = [
	Array,
	ArrayBuffer,
	Atomics,
	BigInt,
	Date,
	Error,
	Function,
	JSON,
	Map,
	Math,
	Number,
	Object,
	Promise,
	Proxy,
	Reflect,
];
watched.push(RegExp, Set, SharedArrayBuffer, String, Symbol, WeakMap, WeakRef, WeakSet, Buffer, DataView, Uint8Array);
watched.push(Object.getPrototypeOf(Uint8Array), Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())));
for (const { prototype } of [...watched]) if (prototype !== undefined) watched.push(prototype);

const { Error: Trace } = globalThis;
let isOn = false;
const strangers = { __proto__: null };
let calls = 0;

/** Notes the call if a frame belongs neither to Node nor to this program. */
function note(name) {
	if (!isOn) return;
	isOn = false;
	calls++;
	const frames = split(new Trace().stack, '\n');
	for (let at = 1; at < frames.length; at++)
		if (!includes(frames[at], 'node:') && !includes(frames[at], __dirname) && !includes(frames[at], '<anonymous>'))
			strangers[name] = frames[at];
	isOn = true;
}

Error.stackTraceLimit = 100;
for (const holder of watched) {
	for (const key of ownKeys(holder)) {
		const descriptor = getOwnPropertyDescriptor(holder, key);
		if (!descriptor.configurable || key === 'constructor' || key === 'prototype') continue;
		const name = String(key);
		const watch = (method) =>
			function (...args) {
				note(name);
				return new.target ? construct(method, args, new.target) : apply(method, this, args);
			};
		if (typeof descriptor.value === 'function')
			defineProperty(holder, key, { ...descriptor, value: watch(descriptor.value) });
		else if (descriptor.get) defineProperty(holder, key, { ...descriptor, get: watch(descriptor.get) });
	}
}
isOn = true;
work(() => {
	new Worker('require("node:worker_threads").parentPort.postMessage(1)', { eval: true }).on('message', () => {
		setTimeout(async () => {
			await 1;
		}, 1200);
	});
});
process.on('exit', () => {
	isOn = false;
	say(`${calls > 10 ? 'many calls' : 'few'}, strangers: ${JSON.stringify(strangers)}`);
});
