// Works until the session's lease has gone, and a while longer.
const fs = require('node:fs');
const path = require('node:path');

/** The tracer looks at the lease once a second. */
const LONGER_MS = 2500;
const lease = path.join(process.env.WAITLINE_FOLDER, process.argv[2]);
let until = Infinity;
(function turn() {
	fs.stat(lease, (error) => {
		if (error && until === Infinity) until = Date.now() + LONGER_MS;
		if (Date.now() < until) setTimeout(turn, 5);
	});
})();
