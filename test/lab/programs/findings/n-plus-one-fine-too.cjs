// Each request asks for ten items at once: as many queries, but it waits for them together. Then it reads page after page: the address of each is in the answer
// before, so no query could ask for all. At last it asks five different things through one function: no query could ask for all of these either.
const { run } = require('./asks-itself.cjs');

async function serve(store) {
	const answers = Array.from({ length: 10 }, async (_, id) => (await fetch(`${store}/${id}`)).json());
	return [await Promise.all(answers), await pages(store), await new Client(store).overview()];
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

class Client {
	#store;

	constructor(store) {
		this.#store = store;
	}

	async #get(path) {
		const answer = await fetch(`${this.#store}/${path}`);
		return answer.json();
	}

	async overview() {
		const user = await this.#get('user');
		const cart = await this.#get(`cart/${user.id}`);
		const prices = await this.#get(`prices/${cart.id}`);
		const stock = await this.#get(`stock/${prices.id}`);
		return { user, cart, prices, stock, news: await this.#get(`news/${stock.id}`) };
	}
}

run({ serve }, 40);
