// The fault of serial-loop.cjs with axios: each request asks for eight items one after the other; changed, for all at once.
const axios = require('axios');
const { run } = require('./asks-itself.cjs');

const IDS = [1, 2, 3, 4, 5, 6, 7, 8];

async function serve(store) {
	const items = [];
	for (const id of IDS) {
		const { data } = await axios.get(`${store}/${id}`);
		items.push(data);
	}
	return items;
}

async function changed(store) {
	const answers = await Promise.all(IDS.map((id) => axios.get(`${store}/${id}`)));
	return answers.map(({ data }) => data);
}

run({ serve, changed }, 100);
