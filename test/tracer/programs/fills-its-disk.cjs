// Works on while the disk is full that its journal lies on, frees it, and works on. Its argument names the file that takes the room.
const fs = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');

async function work(rounds) {
	for (let i = 0; i < rounds; i++) {
		await Promise.all(Array.from({ length: 200 }, () => fs.promises.stat(__filename)));
		await sleep(1);
	}
}

(async () => {
	await work(60);
	fs.rmSync(process.argv[2]);
	await work(60);
	// Long enough for a generation to end.
	await sleep(1200);
	await work(10);
	console.log('done');
})();
