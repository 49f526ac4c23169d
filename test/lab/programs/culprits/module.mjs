// An ES module with an await at its top. (It does not join texts by `map` and `join`: of one block in six that does, V8's samples lack the
// inner function from begin to end, and its caller is named, as docs/times.md says.)
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const render = (rows, until) => {
	let text = '';
	while (process.cpuUsage().user < until) for (const row of rows) text = `${text.slice(-5000)}<li>${row}</li>`; // computes
	return text;
};
const rows = Array.from({ length: 1000 }, (_, i) => i);
for (let i = 0; i < 6; i++) {
	await readFile(fileURLToPath(import.meta.url));
	render(rows, process.cpuUsage().user + 150_000); // calls
}
