// Prints what a curious program can see of its own process: handles, functions and their properties, modules, globals.
const crypto = require('node:crypto');
const dns = require('node:dns');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const util = require('node:util');
const zlib = require('node:zlib');

const functions = {
	'crypto.pbkdf2': crypto.pbkdf2,
	'crypto.randomBytes': crypto.randomBytes,
	'dns.lookup': dns.lookup,
	fetch: globalThis.fetch,
	'fs.exists': fs.exists,
	'fs.promises.readFile': fs.promises.readFile,
	'fs.read': fs.read,
	'fs.readFile': fs.readFile,
	'fs.realpath': fs.realpath,
	'http.request': http.request,
	'net.Socket': net.Socket,
	'net.Socket.prototype._writeGeneric': net.Socket.prototype._writeGeneric,
	'process.nextTick': process.nextTick,
	'Promise.prototype.then': Promise.prototype.then,
	queueMicrotask: globalThis.queueMicrotask,
	setImmediate: globalThis.setImmediate,
	setTimeout: globalThis.setTimeout,
	'zlib.gzip': zlib.gzip,
};
for (const [name, value] of Object.entries(functions)) {
	const keys = Reflect.ownKeys(value).map(String).join(' ');
	const prototype = Object.getPrototypeOf(value) === Function.prototype;
	console.log(name, value.name, value.length, keys, prototype, util.inspect(value));
}

console.log(process.argv.length, process.execArgv, process.title === 'node');
console.log(process.getActiveResourcesInfo(), process._getActiveHandles().length, process._getActiveRequests().length);
console.log(Object.keys(require.cache).map((file) => (file === __filename ? 'this file' : file)));
console.log(module.children.length, require.main === module, module.parent);
console.log(Reflect.ownKeys(globalThis).length);
for (const event of ['uncaughtException', 'unhandledRejection', 'warning', 'SIGINT', 'SIGTERM', 'beforeExit', 'exit']) {
	console.log(event, process.listenerCount(event));
}
console.log(
	process.eventNames(),
	Object.hasOwn(process, 'emit'),
	process.emit === require('node:events').prototype.emit,
);
console.log(Error.stackTraceLimit, Error.prepareStackTrace, Object.getOwnPropertyNames(Error));
console.log(Promise.resolve('a promise without a mark on it'));
