// Servers of several frameworks whose handlers ask knex first, which queues each query for its only connection: nothing starts while a handler is on the stack.
// Each has a route that is slow to answer and one that is not, and both wait for that connection; knex makes it before.
const knexOf = require('knex');
const { startServer } = require('../../lab/programs/findings/answers-queries.cjs');

const ROUNDS = 8;
const CLIENTS = 3;
let knex;

async function findSlowly() {
	await knex.raw('select /* 5 ms */');
	await knex.raw('select 1');
}

const frameworks = {
	express(at) {
		const app = require('express')();
		// ↓ express /slow
		app.get('/slow', async (_request, response) => {
			await findSlowly();
			response.json({});
		});
		// ↓ express /quick
		app.get('/quick', async (_request, response) => {
			await knex.raw('select 2');
			response.json({});
		});
		// ↓ express /begins
		app.get('/begins', async (_request, response) => {
			const transaction = await knex.transaction();
			await transaction.rollback();
			response.json({});
		});
		return app.listen(at);
	},
	async fastify(at) {
		const app = require('fastify')();
		// ↓ fastify /slow
		app.get('/slow', async () => {
			await findSlowly();
			return {};
		});
		// ↓ fastify /quick
		app.get('/quick', async () => {
			await knex.raw('select 2');
			return {};
		});
		await app.listen(at);
		return app.server;
	},
	async nest({ port, host }) {
		require('reflect-metadata');
		const { Controller, Get, Module } = require('@nestjs/common');
		const { NestFactory } = require('@nestjs/core');
		const { ExpressAdapter } = require('@nestjs/platform-express');
		class Routes {
			// ↓ nest /slow
			async slow() {
				await findSlowly();
				return {};
			}
			// ↓ nest /quick
			async quick() {
				await knex.raw('select 2');
				return {};
			}
		}
		for (const name of ['slow', 'quick']) {
			const method = Object.getOwnPropertyDescriptor(Routes.prototype, name);
			Reflect.decorate([Get(`/${name}`)], Routes.prototype, name, method);
		}
		class App {}
		Reflect.decorate([Module({ controllers: [Reflect.decorate([Controller()], Routes)] })], App);
		const app = await NestFactory.create(App, new ExpressAdapter(), { logger: false });
		await app.listen(port, host);
		return app.getHttpServer();
	},
};

async function main() {
	knex = knexOf({ client: 'pg', version: '16', connection: await startServer(), pool: { min: 1, max: 1 } });
	await knex.raw('select 3');
	for (const [name, serve] of Object.entries(frameworks)) {
		const server = await serve({ port: 0, host: '127.0.0.1' });
		const address =
			server.address() ?? (await new Promise((resolve) => server.once('listening', () => resolve(server.address()))));
		const paths = name === 'express' ? ['/slow', '/quick', '/begins'] : ['/slow', '/quick'];
		const ask = async (path) => {
			for (let i = 0; i < ROUNDS; i++) await (await fetch(`http://127.0.0.1:${address.port}${path}`)).text();
		};
		await Promise.all(paths.flatMap((path) => Array.from({ length: CLIENTS }, () => ask(path))));
	}
	process.exit();
}
main();
