// Idles, blocks the loop now and then, and then all the time in small pieces, with Node's own monitor of the loop
// beside it; prints what that says of each part, in ms. The monitor's timer comes every 10 ms when nothing delays it.
const { monitorEventLoopDelay } = require('node:perf_hooks');

const RESOLUTION_MS = 10;
const now = () => performance.now();
const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const mode = process.argv[2];

function work(ms) {
	const until = now() + ms;
	while (now() < until);
}

const rounds = {
	/** Blocks of 100 ms with rests. */
	blocks: () => setTimeout(() => work(100), 50),
	/** A turn of the loop takes 30 ms, in pieces of 1 ms. */
	pieces: () => {
		for (let k = 0; k < 30; k++) setImmediate(work, 1);
	},
	/** Nearly nothing. */
	rests: () => work(0.1),
};
const paces = { blocks: 200, pieces: 40, rests: 20 };

setTimeout(() => {
	monitor.enable();
	const until = now() + 2000;
	const timer = setInterval(() => {
		if (now() < until) rounds[mode]();
		else {
			clearInterval(timer);
			monitor.disable();
			const ms = (ns) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
			console.log(
				JSON.stringify({
					p50Ms: ms(monitor.percentile(50)),
					p99Ms: ms(monitor.percentile(99)),
					maxMs: ms(monitor.max),
				}),
			);
		}
	}, paces[mode]);
}, 100);
