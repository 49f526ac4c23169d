// Each request asks three things of one client, as in a transaction: none uses another's answer, but their order may matter.
const { run } = require('./asks-itself.cjs');

class Client {
	constructor(store) {
		this.store = store;
	}
	async query(text) {
		const answer = await fetch(`${this.store}/${text}`, { method: 'POST' });
		return answer.json();
	}
}

async function serve(store) {
	const client = new Client(store);
	const begun = await client.query('begin');
	const changed = await client.query('update');
	const ended = await client.query('commit');
	return { begun, changed, ended };
}

run({ serve }, 60);
