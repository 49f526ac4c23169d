// Removes the session's folder while it runs, as far as Windows lets it: the tracer has a file in it open. The argument is the lease's name.
const fs = require('node:fs');
const path = require('node:path');

const folder = process.env.WAITLINE_FOLDER;
/** Between two renewals of its lease the host reads what there is. */
const RENEWALS = 2;
/** The tracer looks at the lease once a second, when a callback ends: how long the program goes on for that, and for how many callbacks after it. */
const LONGER_MS = 1200;
const LONGER_TURNS = 20;

const renewed = new Set();
let removedAt = Infinity;
let turnsLeft = LONGER_TURNS;
(function turn() {
	fs.stat(__filename, () => {
		if (removedAt === Infinity) {
			renewed.add(fs.statSync(path.join(folder, process.argv[2])).mtimeMs);
			if (renewed.size > RENEWALS) remove();
		} else if (Date.now() > removedAt + LONGER_MS) turnsLeft--;
		if (turnsLeft > 0) setTimeout(turn, 5);
		else console.log('done');
	});
})();

function remove() {
	try {
		fs.rmSync(folder, { recursive: true });
	} catch (error) {
		if (!['ENOTEMPTY', 'EBUSY', 'EPERM'].includes(error.code)) throw error;
	}
	removedAt = Date.now();
}
