// Each request asks for ten items at once: as many queries, but it waits for them together.
const { run } = require('./asks-itself.cjs');

async function serve(store) {
	const answers = Array.from({ length: 10 }, async (_, id) => (await fetch(`${store}/${id}`)).json());
	return Promise.all(answers);
}

run({ serve }, 40);
