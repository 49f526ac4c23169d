// Microtasks, and then ticks, that make more of themselves: a timer and a read are late.
const fs = require('node:fs');

async function spin(end) {
	while (process.cpuUsage().user < end) await null;
}
function again(end) {
	if (process.cpuUsage().user < end) process.nextTick(again, end);
}
setTimeout(() => spin(process.cpuUsage().user + 300_000), 10);
setTimeout(() => {
	fs.stat(__filename, () => undefined);
	again(process.cpuUsage().user + 300_000);
}, 50);
setTimeout(() => undefined, 60);
