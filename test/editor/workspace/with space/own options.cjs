// Writes to REPORT_FILE what reached it of the user's own environment, and hashes once.
const crypto = require('node:crypto');
const fs = require('node:fs');

fs.writeFileSync(
	process.env.REPORT_FILE,
	JSON.stringify({
		nodeOptions: process.env.NODE_OPTIONS,
		tracedInto: process.env.WAITLINE_FOLDER,
		own: process.env.OWN,
		preloaded: globalThis.ownPreload === true,
		stackTraceLimit: Error.stackTraceLimit,
	}),
);
crypto.pbkdf2('password', 'salt', 40_000, 64, 'sha512', (error) => {
	if (error) throw error;
});
