// Closes a descriptor that it did not open, the tracer's (as daemons close all that they do not know), and then works with
// files of its own, one of which gets that number.
const fs = require('node:fs');
const path = require('node:path');

for (const fd of fs.readdirSync('/proc/self/fd')) {
	const link = `/proc/self/fd/${fd}`;
	if (fs.existsSync(link) && fs.readlinkSync(link).endsWith('.journal')) fs.closeSync(Number(fd));
}
const file = path.join(process.argv[2], 'own.txt');
const handles = Array.from({ length: 40 }, () => fs.openSync(file, 'a+'));
let turns = 0;
const timer = setInterval(() => {
	fs.writeSync(handles[turns % handles.length], `${turns}\n`);
	fs.stat(file, () => undefined);
	if (++turns === 20) {
		clearInterval(timer);
		console.log(fs.readFileSync(file, 'utf8').replaceAll('\n', ' '));
	}
}, 10);
