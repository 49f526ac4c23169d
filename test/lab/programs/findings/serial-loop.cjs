// Each request asks for eight items one after the other, though none depends on another; changed, for all at once.
const { run } = require('./asks-itself.cjs');

const IDS = [1, 2, 3, 4, 5, 6, 7, 8];

async function serve(store) {
	const items = [];
	for (const id of IDS) {
		const answer = await fetch(`${store}/${id}`);
		items.push(await answer.json());
	}
	return items;
}

async function changed(store) {
	return Promise.all(IDS.map(async (id) => (await fetch(`${store}/${id}`)).json()));
}

run({ serve, changed }, 100);
