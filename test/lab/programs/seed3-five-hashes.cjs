// Seed 3: five equal hashes from one line. With n pool threads the k-th queues for floor((k - 1) / n) executions.
// UV_THREADPOOL_SIZE comes from the environment. This is also what `npm start` shows.
// It prints when each hash started and when its callback began, since the program's own start.
const crypto = require('node:crypto');

for (let k = 1; k <= 5; k++) {
	const from = performance.now();
	crypto.pbkdf2('password', 'salt', 80_000, 512, 'sha512', (error) => {
		if (error) throw error;
		console.log(`hash ${k}: ${from.toFixed(1)} to ${performance.now().toFixed(1)} ms`);
	});
}
