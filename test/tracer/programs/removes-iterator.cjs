// Takes the iterator of arrays away, as one may in the REPL, works on and collects its garbage. Node's console needs that
// iterator itself.
const fs = require('node:fs');
const v8 = require('node:v8');
const vm = require('node:vm');

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');
let times = 0;

function turn() {
	collect();
	fs.readFile(__filename, () => undefined);
	if (++times < 5) setTimeout(turn, 20);
	else fs.writeSync(1, `collected ${times} times\n`);
}

setTimeout(() => {
	delete Array.prototype[Symbol.iterator];
	fs.writeSync(1, Symbol.iterator in Array.prototype ? 'one is left\n' : 'none is left\n');
	setTimeout(turn, 20);
}, 20);
