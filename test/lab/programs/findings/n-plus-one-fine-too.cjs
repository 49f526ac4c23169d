// Each request asks four lines, one after the answer to the other; the many questions of one line are for no request.
const { run } = require('./asks-itself.cjs');

async function serve(store) {
	const user = await (await fetch(`${store}/user`)).json();
	const cart = await (await fetch(`${store}${user.url}/cart`)).json();
	const prices = await (await fetch(`${store}${cart.url}/prices`)).json();
	return (await fetch(`${store}${prices.url}/tax`)).json();
}

/** Page after page: each answer has the address of the next. */
async function walk(store) {
	let url = '/pages';
	for (let page = 0; page < 8; page++) {
		const answer = await fetch(`${store}${url}`);
		url = (await answer.json()).url;
	}
}

let isWalking = false;
run(
	{
		serve(store) {
			if (!isWalking) void walk(store);
			isWalking = true;
			return serve(store);
		},
	},
	20,
);
