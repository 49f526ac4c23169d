// Reads files whose promises are awaited far from the line that started them.
const { readFile } = require('node:fs/promises');

const load = () =>
	[__filename, `${module.path}/worker.cjs`].map((file) => readFile(file, 'utf8').then((text) => text.length));
const all = async (promises) => (await Promise.all(promises)).length;
async function main() {
	const first = await all(load());
	const second = await all(load());
	console.log(first, second);
}
main();
