// Works until the file exists that its second argument names, without one for 150 turns; then it does to its own journal what its first one names,
// and works on for a while.
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
const [, , harm, go] = process.argv;
let turns = 0;
/** What it writes after that is less than what was read before: a journal that was cut off stays shorter. */
let left = 20;

(function turn() {
	fs.stat(__filename, () => {
		const isHarmed = left < 20;
		turns++;
		if (!isHarmed && (go === undefined ? turns >= 150 : fs.existsSync(go))) harms[harm]();
		else if (!isHarmed) return setTimeout(turn, 5);
		if (--left > 0) setTimeout(turn, 5);
		else console.log('done');
	});
})();
