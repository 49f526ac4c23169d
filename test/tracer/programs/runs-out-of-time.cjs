// Code that starts operations without end, ended by its time limit: V8 stops it wherever it is, and runs no `finally`.
const vm = require('node:vm');

function start() {
	clearTimeout(setTimeout(() => undefined, 1000));
}

for (let i = 0; i < 20; i++) {
	try {
		vm.runInNewContext('while (true) start()', { start }, { timeout: 5 });
	} catch (error) {
		// How far it came, and so how many of its own lines the stack shows, differs from run to run.
		console.log(typeof error.stack, String(error.stack).split('\n')[0], error.stack.split('\n').length <= 11);
	}
	console.log(Error.stackTraceLimit, new Error('own').stack);
}
