// An ES module with an await at its top.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const render = (rows, until) => {
	let text = '';
	while (performance.now() < until) text = rows.map((row) => `<li>${row}</li>`).join(''); // computes
	return text;
};
const rows = Array.from({ length: 1000 }, (_, i) => i);
for (let i = 0; i < 6; i++) {
	await readFile(fileURLToPath(import.meta.url));
	render(rows, performance.now() + 150); // calls
}
