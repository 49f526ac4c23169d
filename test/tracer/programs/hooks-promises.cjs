// Watches all promises with `v8.promiseHooks`: each must be one that it, or Node for it, has made.
const fs = require('node:fs');
const v8 = require('node:v8');

const heard = [];

function listen() {
	v8.promiseHooks.createHook({
		init: () => heard.push('init'),
		before: () => heard.push('before'),
		after: () => heard.push('after'),
		settled: () => heard.push('settled'),
	});
}

const sleep = (ms) => new Promise((wake) => setTimeout(wake, ms));

async function work() {
	listen();
	// Long enough for an idle thread to be woken.
	await sleep(150);
	await sleep(300);
}

// By then the wait of 50 ms is over that the first operation has begun: nothing can hide that one from the hooks.
setTimeout(work, 2000);
process.on('exit', () => fs.writeSync(1, `${heard.join('\n')}\n${heard.length} events\n`));
