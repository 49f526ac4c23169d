// Microtasks, and then ticks, that make more of themselves: a timer and a read are late.
const fs = require('node:fs');

async function spin(end) {
	while (performance.now() < end) await null;
}
function again(end) {
	if (performance.now() < end) process.nextTick(again, end);
}
setTimeout(() => spin(performance.now() + 300), 10);
setTimeout(() => {
	fs.stat(__filename, () => undefined);
	again(performance.now() + 300);
}, 50);
setTimeout(() => undefined, 60);
