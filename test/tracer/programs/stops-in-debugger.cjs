// Works a little until a client of its inspector sets `globalThis.isDebugged`; then stops at a `debugger` statement until the client lets it go on, and ends.
const inspector = require('node:inspector');

inspector.open(0);
const timer = setInterval(() => {
	if (!globalThis.isDebugged) return;
	clearInterval(timer);
	// biome-ignore lint/suspicious/noDebugger: the stop is what this program is for
	debugger;
	console.log('went on');
}, 50);
