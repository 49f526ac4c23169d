// Works until the session's lease has gone, and a while longer. The argument is the lease's name.
const fs = require('node:fs');
const path = require('node:path');

/** The tracer looks at the lease once a second, when a callback ends: how long the program goes on for that, and for how many callbacks after it. */
const LONGER_MS = 1200;
const LONGER_TURNS = 20;
const lease = path.join(process.env.WAITLINE_FOLDER, process.argv[2]);
let goneAt = Infinity;
let turnsLeft = LONGER_TURNS;
(function turn() {
	fs.stat(lease, (error) => {
		if (error && goneAt === Infinity) goneAt = Date.now();
		if (Date.now() > goneAt + LONGER_MS) turnsLeft--;
		if (turnsLeft > 0) setTimeout(turn, 5);
	});
})();
