// Page after page: the address of each is in the answer before.
const { run } = require('./asks-itself.cjs');

async function walk(store) {
	let url = '/pages';
	const pages = [];
	for (let page = 0; page < 4; page++) {
		const answer = await fetch(`${store}${url}`);
		const found = await answer.json();
		pages.push(found);
		url = found.url;
	}
	return pages;
}

run({ serve: walk }, 60);
