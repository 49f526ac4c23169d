// On SIGUSR2: collects all garbage and prints the process's memory (RSS) in bytes. Two collections, for the first may leave what finalizers
// hold, and a moment for V8 to give pages back.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const GIVING_BACK_MS = 200;

process.on('SIGUSR2', () => {
	setFlagsFromString('--expose-gc');
	const gc = runInNewContext('gc');
	gc();
	gc();
	setTimeout(() => console.log(process.memoryUsage.rss()), GIVING_BACK_MS);
});
