// Each request asks three things one after the other that have nothing to do with each other; changed, all at once.
const { run } = require('./asks-itself.cjs');

async function serve(store) {
	const user = await fetch(`${store}/user`);
	const orders = await ordersOf(store, 7);
	const news = await (await fetch(`${store}/news`)).json();
	return [await user.json(), orders, news];
}

async function ordersOf(store, id) {
	const answer = await fetch(`${store}/orders/${id}`);
	if (!answer.ok) throw new Error('no orders');
	return answer.json();
}

async function changed(store) {
	const answers = await Promise.all(['user', 'orders/7', 'news'].map((name) => fetch(`${store}/${name}`)));
	return Promise.all(answers.map((answer) => answer.json()));
}

run({ serve, changed }, 200);
