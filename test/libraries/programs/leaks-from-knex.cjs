// A pool of knex with two connections. `order` begins a transaction and returns without an end of it where an item is missing: after two of these, nobody gets
// a connection again. Before that, transactions and questions that are awaited wait for one that another has, and get it. Ends once a wait has lasted.
const knexOf = require('knex');
const { startServer } = require('../../lab/programs/findings/answers-queries.cjs');

async function order(knex) {
	const transaction = await knex.transaction();
	const rows = await transaction.raw('select 1'); // last use
	if (rows !== null) return;
	await transaction.commit();
}

async function take(knex) {
	const transaction = await knex.transaction();
	await transaction.raw('select /* 100 ms */ 2');
	await transaction.commit();
}

async function ask(knex) {
	await knex.raw('select 3'); // asks
}

async function main() {
	const connection = await startServer();
	const knex = knexOf({ client: 'pg', version: '16', connection, pool: { min: 0, max: 2 } });
	await Promise.all([take(knex), take(knex)]);
	await Promise.all([take(knex), take(knex), take(knex), ask(knex), ask(knex)]);
	await Promise.all([order(knex), order(knex)]);
	for (let i = 0; i < 9; i++) setTimeout(() => order(knex), 1); // orders
	setTimeout(() => process.exit(), 1500);
}
main();
