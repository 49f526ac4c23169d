// A pool of knex with two connections. `order` begins a transaction and returns without an end of it where an item is missing: after two of these, nobody gets
// a connection again. Before that, transactions and questions that are awaited wait for one that another has, and get it. Ends once a wait has lasted.
const knexOf = require('knex');
const { startServer } = require('../../lab/programs/findings/answers-queries.cjs');

async function order(knex) {
	const transaction = await knex.transaction(); // begins an order
	const rows = await transaction.raw('select 1'); // last use
	if (rows !== null) return;
	await transaction.commit();
}

async function take(knex) {
	const transaction = await knex.transaction(); // takes
	await transaction.raw('select /* 100 ms */ 2');
	await transaction.commit();
}

async function ask(knex) {
	await knex.raw('select 3'); // asks
}

/** Its inner transaction has the connection of the outer one. */
async function nest(knex) {
	// nests ↓
	await knex.transaction(async (transaction) => {
		await transaction.raw('select 4');
		await transaction.transaction((inner) => inner.raw('select 5')); // within
	});
}

/** A transaction that is given a connection waits for none, though a question that does comes right behind it. */
async function give(knex) {
	const connection = await knex.client.acquireConnection();
	const taken = take(knex);
	const given = knex.transaction((transaction) => transaction.raw('select 6'), { connection }); // gives
	await Promise.all([taken, given, ask(knex)]);
	knex.client.releaseConnection(connection);
}

async function main() {
	const connection = await startServer();
	const knex = knexOf({ client: 'pg', version: '16', connection, pool: { min: 0, max: 2 } });
	await Promise.all([take(knex), take(knex)]);
	await Promise.all([take(knex), take(knex), take(knex), ask(knex), ask(knex), nest(knex), nest(knex)]);
	await give(knex);
	await Promise.all([order(knex), order(knex)]);
	for (let i = 0; i < 9; i++) setTimeout(() => order(knex), 1); // orders
	// Behind the orders, however late they are.
	setTimeout(() => setTimeout(() => process.exit(), 1500), 1);
}
main();
