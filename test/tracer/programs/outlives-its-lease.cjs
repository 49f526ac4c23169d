// Works on after its host has given up the lease, until the tracer has closed the journal, and prints how often somebody has asked for an iterator of its arrays
// since then. Its argument is the journals' folder.
const fs = require('node:fs');
const path = require('node:path');

const [folder] = process.argv.slice(2);
const [journal] = fs.readdirSync(folder).filter((name) => name.endsWith('.journal'));
const open = fs.readdirSync('/proc/self/fd').find((fd) => {
	try {
		return fs.readlinkSync(`/proc/self/fd/${fd}`) === path.join(folder, journal);
	} catch {
		// The one that the folder was read by.
		return false;
	}
});
const original = Array.prototype[Symbol.iterator];
let uses = 0;

fs.unlinkSync(path.join(folder, 'lease'));
Object.defineProperty(Array.prototype, Symbol.iterator, {
	configurable: true,
	writable: true,
	value: function () {
		uses++;
		return Reflect.apply(original, this, []);
	},
});

const working = setInterval(() => {
	if (fs.existsSync(`/proc/self/fd/${open}`)) return;
	clearInterval(working);
	fs.writeSync(1, `${uses} uses\n`);
}, 20);
