// Each request asks three things in a row, each with what the one before has answered.
const { run } = require('./asks-itself.cjs');

async function serve(store) {
	const user = await ask(store, '/user');
	const orders = await ask(store, `${user.url}/orders`);
	const prices = await ask(store, `${orders.url}/prices`);
	return { user, orders, prices };
}

async function ask(store, path) {
	const answer = await fetch(`${store}${path}`);
	return answer.json();
}

run({ serve }, 60);
