// Each request asks for a list and then for each of its ten items; changed, for all items at once.
const { run } = require('./asks-itself.cjs');

const ITEMS = 10;

async function serve(store) {
	const list = await (await fetch(`${store}/list`)).json();
	const items = [];
	for (let id = 0; id < ITEMS; id++) {
		const answer = await fetch(`${store}${list.url}/${id}`);
		items.push(await answer.json());
	}
	return items;
}

async function changed(store) {
	const list = await (await fetch(`${store}/list`)).json();
	return [await (await fetch(`${store}${list.url}/all`)).json()];
}

run({ serve, changed }, 60);
