// A function that a handler calls after an await blocks the loop again and again, each time until it has had the processor for 90 ms. The read before it is innocent: it only was
// what the loop did last.
const fsp = require('node:fs/promises');

async function loadTemplate() {
	return await fsp.readFile(__filename, 'utf8');
}
function buildReport(text) {
	const end = process.cpuUsage().user + 90_000;
	let n = 0;
	while (process.cpuUsage().user < end) for (let i = 0; i < 100_000; i++) n += text.length;
	return n;
}
async function handler() {
	const text = await loadTemplate();
	return buildReport(text);
}
(async () => {
	for (let i = 0; i < 8; i++) await handler();
})();
