// Runs on for a while after its journal folder was taken away.
const fs = require('node:fs');

fs.rmSync(process.env.WAITLINE_FOLDER, { recursive: true });
const until = Date.now() + 2500;
(function turn() {
	fs.stat(__filename, () => {
		if (Date.now() < until) setTimeout(turn, 5);
		else console.log('done');
	});
})();
