// Prints what it can see of a profiler: modules, resources that are alive, what its own hook receives in a block, and
// after a signal of its own.
const hooks = require('node:async_hooks');
const fs = require('node:fs');
const heard = [];
const hook = hooks.createHook({
	init: (_id, type) => heard.push(`init ${type}`),
	before: () => heard.push('before'),
	after: () => heard.push('after'),
});
let signals = 0;
setTimeout(() => {
	hook.enable();
	const until = performance.now() + 120;
	while (performance.now() < until);
	setTimeout(() => {
		hook.disable();
		const seen = {
			modules: Object.keys(require.cache).length,
			children: module.children.length,
			resources: process.getActiveResourcesInfo(),
			listeners: process.eventNames().length,
			heard,
		};
		// Until its own signal has come, and then for as long as others might.
		const alive = setInterval(() => undefined, 1000);
		const count = () => {
			if (++signals > 1) return;
			setTimeout(() => {
				clearInterval(alive);
				process.off('SIGPROF', count);
				setTimeout(() => fs.writeSync(1, JSON.stringify({ ...seen, signals })), 100);
			}, 100);
		};
		process.on('SIGPROF', count);
		process.kill(process.pid, 'SIGPROF');
	}, 20);
}, 20);
