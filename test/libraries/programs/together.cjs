// Runs jobs, `rounds` times each and `concurrency` at a time, in an order that is mixed but the same in each run.

/** @param {(() => Promise<unknown>)[]} jobs */
exports.together = async function together(jobs, rounds, concurrency) {
	const queue = [];
	for (let round = 0; round < rounds; round++) {
		for (let i = 0; i < jobs.length; i++) queue.push(jobs[(i * 7 + round * 3) % jobs.length]);
	}
	const worker = async () => {
		for (let job = queue.pop(); job !== undefined; job = queue.pop()) await job();
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
};
