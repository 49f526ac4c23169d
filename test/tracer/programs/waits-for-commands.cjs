// Idle, but for two commands that it waits for in the loop's thread.
const { execSync } = require('node:child_process');
const { setTimeout: sleep } = require('node:timers/promises');
(async () => {
	for (let i = 0; i < 2; i++) {
		await sleep(700);
		execSync('sleep 0.5');
	}
	await sleep(700);
})();
