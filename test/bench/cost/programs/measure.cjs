// CPU time of the main thread per unit of work. The program does its work in chunks: first until it is warm, then until enough time
// was measured, so that a slow variant needs no longer than a fast one. Of the main thread alone, since the pool's threads sleep
// and wake more or less often as chance has it (proc(5), schedstat: ns on the CPU).
const fs = require('node:fs');

const WARM_UP_MS = 300;
const MEASURED_MS = 500;
const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`;

function cpuUs() {
	return Number(fs.readFileSync(SCHEDSTAT, 'latin1').split(' ')[0]) / 1000;
}

async function repeat(forMs, chunk) {
	const until = performance.now() + forMs;
	let units = 0;
	do units += await chunk();
	while (performance.now() < until);
	return units;
}

/** @param chunk does some units of work and resolves to how many */
exports.measure = async (chunk) => {
	await repeat(WARM_UP_MS, chunk);
	const from = cpuUs();
	const units = await repeat(MEASURED_MS, chunk);
	fs.writeSync(1, `${JSON.stringify({ usPerUnit: (cpuUs() - from) / units })}\n`);
};
