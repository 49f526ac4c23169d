// Code that only starts timers, ended by its time limit again and again: V8 ends it wherever it is, in a preload's hook too.
const vm = require('node:vm');

const state = () => JSON.stringify([Error.stackTraceLimit, String(Error.prepareStackTrace)]);
const before = state();
let changed = 0;
for (let i = 0; i < 40; i++) {
	try {
		vm.runInNewContext('while (true) start()', { start: () => setTimeout(() => undefined).unref() }, { timeout: 3 });
	} catch (error) {
		if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
	}
	if (state() !== before) changed++;
}
console.log(`Error was changed ${changed} times`);
