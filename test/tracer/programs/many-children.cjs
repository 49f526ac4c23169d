// Starts short-lived children, a few at a time, more than Waitline keeps one by one.
const { spawn } = require('node:child_process');

const ALL = 120;
let started = 0;
let ended = 0;

function next() {
	if (started === ALL) return;
	started++;
	spawn(process.execPath, ['-e', 'require("fs").stat(".", () => 0)']).on('exit', (code) => {
		if (code === 0 && ++ended === ALL) console.log(`${ended} children ended with 0`);
		next();
	});
}

for (let i = 0; i < 4; i++) next();
