// Each request asks for ten items at once: as many queries, but it waits for them together. Then it reads page after page: the address of each is in the answer
// before, so no query could ask for all.
const { run } = require('./asks-itself.cjs');

async function serve(store) {
	const answers = Array.from({ length: 10 }, async (_, id) => (await fetch(`${store}/${id}`)).json());
	return [await Promise.all(answers), await pages(store)];
}

async function pages(store) {
	const all = [];
	let url = '/pages';
	while (all.length < 6) {
		const answer = await fetch(`${store}${url}`);
		const page = await answer.json();
		all.push(page);
		url = page.url;
	}
	return all;
}

run({ serve }, 40);
