// Watches all async resources with hooks of its own: each event must be of something that it, or Node for it, has made.
const { createHook } = require('node:async_hooks');
const fs = require('node:fs');

const types = new Map();
const heard = [];
createHook({
	init(id, type) {
		types.set(id, type);
		heard.push(`init ${type}`);
	},
	before: (id) => heard.push(`before ${types.get(id)}`),
	after: (id) => heard.push(`after ${types.get(id)}`),
	promiseResolve: (id) => heard.push(`resolve ${types.get(id)}`),
}).enable();

const sleep = (ms) => new Promise((wake) => setTimeout(wake, ms));
// Long enough for an idle thread to be woken.
setTimeout(async () => {
	await sleep(150);
	setTimeout(() => undefined, 300);
}, 100);
process.on('exit', () => fs.writeSync(1, `${heard.join('\n')}\n${heard.length} events\n`));
