// Computes for 90 ms after each wait, until the file is there.
const { access, readFile } = require('node:fs/promises');
const { setTimeout: sleep } = require('node:timers/promises');

function buildReport() {
	const end = Date.now() + 90;
	let length = 0;
	while (Date.now() < end) length += JSON.stringify([length, __filename]).length;
	return length;
}

async function run() {
	for (;;) {
		await readFile(__filename);
		buildReport();
		await sleep(30);
		const isOver = await access(process.env.STOP_FILE).then(
			() => true,
			() => false,
		);
		if (isOver) return;
	}
}

void run();
