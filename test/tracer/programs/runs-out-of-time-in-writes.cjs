// Starts operations until a write of the journal has ended in each of the ways of ends-writes.cjs, which must be there before the tracer: in a process
// whose environment this one chooses.
const { execFileSync } = require('node:child_process');
const vm = require('node:vm');

/** @returns how often V8 ended the code that starts operations */
function endWrite(how) {
	let isOver = false;
	let ends = 0;
	const start = () => {
		clearTimeout(setTimeout(() => undefined, 1000));
		isOver = globalThis.writeEnds === undefined;
	};
	// On a slow machine it takes longer until a write is due.
	for (let timeout = 100; !isOver; timeout *= 2) {
		globalThis.writeEnds = how;
		try {
			vm.runInNewContext('while (!isOver()) start()', { start, isOver: () => isOver }, { timeout });
		} catch {
			isOver = globalThis.writeEnds === undefined;
		}
		globalThis.writeEnds = undefined;
		ends++;
	}
	return ends;
}

if (process.argv[2] === 'writes') {
	console.log(['before', 'in', 'after', 'overflow'].map(endWrite).reduce((sum, ends) => sum + ends));
} else {
	const NODE_OPTIONS = `--require ${JSON.stringify(require.resolve('./ends-writes.cjs'))} ${process.env.NODE_OPTIONS}`;
	const env = { ...process.env, NODE_OPTIONS };
	execFileSync(process.execPath, [__filename, 'writes'], { env, stdio: 'inherit' });
}
