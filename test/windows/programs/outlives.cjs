// Starts a program that outlives it, and has a journal of its own by then. That one stays as long as the folder that the argument names.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const [stays, isSecond] = process.argv.slice(2);
if (isSecond !== undefined) {
	const look = setInterval(() => {
		if (!fs.existsSync(stays)) clearInterval(look);
	}, 100);
} else {
	spawn(process.execPath, [__filename, stays, 'second'], { detached: true, stdio: 'ignore' }).unref();
	const folder = process.env.WAITLINE_FOLDER;
	const hasBegun = (name) => name.endsWith('.journal') && fs.statSync(path.join(folder, name)).size > 0;
	const look = setInterval(() => {
		if (fs.readdirSync(folder).filter(hasBegun).length > 1) clearInterval(look);
	}, 20);
}
