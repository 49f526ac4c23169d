// A function of V8's own: the line that calls it is what counts.
const fs = require('node:fs/promises');
const text = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ i, name: `row ${i}` })));
function load(until) {
	let rows = [];
	while (process.cpuUsage().user < until) rows = JSON.parse(text); // computes
	return rows;
}
(async () => {
	for (let i = 0; i < 6; i++) {
		await fs.stat(__filename);
		load(process.cpuUsage().user + 150_000); // calls
	}
})();
