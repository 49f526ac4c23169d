// Says whether V8 collects asynchronous call stacks: then Node hears of the end of each resource for the inspector, by a hook that nobody
// else has here. Runs with `--expose-internals`, until a file ends it.
const { existsSync } = require('node:fs');
const { internalBinding } = require('internal/test/binding');
const { async_hook_fields: hooks, constants } = internalBinding('async_wrap');

function look() {
	if (hooks === undefined) {
		throw new Error('NEVER: there are hooks');
	}
	if (existsSync(process.env.STOP_FILE)) return;
	console.log(`async stacks ${hooks[constants.kDestroy] > 0 ? 'on' : 'off'}`);
	setTimeout(look, 20);
}

look();
