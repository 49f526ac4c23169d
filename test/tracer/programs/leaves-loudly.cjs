// As many listeners of its end as go without a warning; then its own `emit`, as libraries that clean up at the end set it (signal-exit).
const inherited = process.emit;

for (let i = 0; i < 10; i++) process.on('exit', () => console.log('listener', i, process.exitCode));
setTimeout(() => {
	process.removeAllListeners('exit');
	process.emit = function (name, ...args) {
		if (name === 'exit') console.log('emit', args, new Error('from').stack);
		return inherited.call(this, name, ...args);
	};
	console.log(Object.hasOwn(process, 'emit'), Object.keys(process).includes('emit'), process.listenerCount('exit'));
	process.once('exit', () => console.log('the end'));
}, 10);
