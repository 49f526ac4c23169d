// Starts a program that outlives it, and has a journal of its own by then.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

/** Longer than Waitline tries to remove the session's folder, in ms. */
const STAYS_MS = 15_000;

if (process.argv[2] === 'stay') setTimeout(() => undefined, STAYS_MS);
else {
	spawn(process.execPath, [__filename, 'stay'], { detached: true, stdio: 'ignore' }).unref();
	const folder = process.env.WAITLINE_FOLDER;
	const hasBegun = (name) => name.endsWith('.journal') && fs.statSync(path.join(folder, name)).size > 0;
	const look = setInterval(() => {
		if (fs.readdirSync(folder).filter(hasBegun).length > 1) clearInterval(look);
	}, 20);
}
