// Dies of a rejection that nobody handles.
const { setTimeout: sleep } = require('node:timers/promises');

async function later() {
	await sleep(5);
	throw Object.assign(new Error('planted'), { code: 'EPLANTED' });
}

later();
