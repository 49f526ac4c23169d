// bcryptjs computes on the loop, in slices of up to 100 ms: nothing uses the pool, and an interval is late.
const bcrypt = require('bcryptjs');

const hash = bcrypt.hashSync('pw', 10);
async function login() {
	return await bcrypt.compare('pw', hash);
}
const interval = setInterval(() => undefined, 10);
setTimeout(async () => {
	await Promise.all(Array.from({ length: 8 }, login));
	setTimeout(clearInterval, 30, interval);
}, 20);
