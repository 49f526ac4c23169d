// Hashes one round after the other until the file named in STOP_FILE appears, then writes the number of rounds into it. Prints a
// mark per round; with `--expose-internals`, for each async hook that listened from its beginning to its end, that hook's number.
const crypto = require('node:crypto');
const fs = require('node:fs');

const hooks = [];
let rounds = 0;
console.log('started');
round();

function round() {
	if (fs.existsSync(process.env.STOP_FILE)) {
		fs.writeFileSync(process.env.STOP_FILE, String(rounds));
		return;
	}
	const before = listening();
	crypto.pbkdf2('password', 'salt', 40_000, 64, 'sha512', (error) => {
		if (error) throw error;
		rounds++;
		const after = listening();
		process.stdout.write(before.filter((hook) => after.includes(hook)).join('') || '|');
		setTimeout(round, 20);
	});
}

/** Numbers of the hooks, in the order in which they came, without the debugger's own for its asynchronous stack traces. */
function listening() {
	if (!process.execArgv.includes('--expose-internals')) return [];
	const { getHookArrays, symbols } = require('internal/async_hooks');
	const now = getHookArrays()[0].filter((hook) => !/asyncTaskScheduled/.test(hook[symbols.init_symbol]));
	hooks.push(...now.filter((hook) => !hooks.includes(hook)));
	return now.map((hook) => hooks.indexOf(hook));
}
