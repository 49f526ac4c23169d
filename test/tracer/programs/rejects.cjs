// Ends by an unhandled rejection.
const { setTimeout: sleep } = require('node:timers/promises');

async function later() {
	await sleep(5);
	throw Object.assign(new Error('planted'), { code: 'EPLANTED' });
}

later();
