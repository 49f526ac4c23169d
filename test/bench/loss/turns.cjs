// Says its process id, then the number and the time of each turn of its loop, at once: what it has said, it has done.
const fs = require('node:fs');

const pause = Number(process.argv[2]);
let turns = 0;
fs.writeSync(1, `${process.pid}\n`);
function turn() {
	fs.writeSync(1, `${++turns} ${process.hrtime.bigint()}\n`);
	setTimeout(turn, pause);
}
setTimeout(turn, pause);
