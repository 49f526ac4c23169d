// Does to its own journal, while it runs, what its argument names.
const fs = require('node:fs');
const path = require('node:path');

const folder = process.env.WAITLINE_FOLDER;
const journal = () =>
	path.join(
		folder,
		fs.readdirSync(folder).find((name) => name.endsWith('.journal')),
	);
const harms = {
	removes: () => fs.rmSync(journal()),
	shortens: () => fs.truncateSync(journal(), 100),
	'removes the folder of': () => fs.rmSync(folder, { recursive: true }),
	'puts a link in the place of': () => {
		const file = journal();
		fs.rmSync(file);
		fs.symlinkSync(__filename, file);
	},
};
setTimeout(harms[process.argv[2]], 700);
const until = Date.now() + 1800;
(function turn() {
	fs.stat(__filename, () => {
		if (Date.now() < until) setTimeout(turn, 5);
		else console.log('done');
	});
})();
