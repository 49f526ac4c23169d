// A callback that comes 2000 times: its tick does nothing at first, and later one from another line starts an operation all by itself.
const fs = require('node:fs');

function often(turn) {
	if (turn < 1999) setImmediate(often, turn + 1);
	if (turn < 1700) process.nextTick(() => 'nothing');
	else process.nextTick(fs.stat, __filename, () => 'starts');
}
setImmediate(often, 0);
