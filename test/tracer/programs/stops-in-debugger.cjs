// Waits for a debugger, works a little, stops at a `debugger` statement until the client lets it go on, and ends.
const inspector = require('node:inspector');

inspector.open(0);
inspector.waitForDebugger();
setTimeout(() => {
	// biome-ignore lint/suspicious/noDebugger: the stop is what this program is for
	debugger;
	console.log('went on');
}, 200);
