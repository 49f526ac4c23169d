// Long loops that start the same kind of operation from one line, and then from another: at the top level, and in a callback.
function inOneCallback() {
	for (let i = 0; i < 500; i++) setImmediate(() => undefined); // → setImmediate loop 500
	for (let i = 0; i < 500; i++) setImmediate(() => undefined); // → setImmediate loop 500
}

for (let i = 0; i < 5000; i++) setImmediate(() => undefined); // → setImmediate loop 5000
for (let i = 0; i < 5000; i++) setImmediate(() => undefined); // → setImmediate loop 5000
setTimeout(inOneCallback, 1); // → setTimeout timer 1
