// Servers whose middleware waits for something before a route's handler has its turn, and a client that asks them one request after another.
const fs = require('node:fs');
const http = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');

const ROUNDS = 60;

const stat = () => fs.promises.stat(__filename);

const SERVERS = {
	/** With handlers that wait, that answer at once, and that a middleware of their own comes before. */
	express(at) {
		const app = require('express')();
		app.use(async (_request, _response, next) => {
			await fs.promises.stat(__filename); // asks first
			next();
		});
		// ↓ express /waits
		app.get('/waits', async (_request, response) => {
			await sleep(1);
			response.json({});
		});
		// ↓ express /answers
		app.get('/answers', (_request, response) => {
			response.json({});
		});
		const own = (_request, _response, next) => fs.stat(__filename, () => next());
		// ↓ express /own
		app.get('/own', own, (_request, response) => {
			fs.readFile(__filename, () => response.json({}));
		});
		const nested = require('express').Router();
		nested.use((_request, _response, next) => void setTimeout(next, 1));
		// ↓ express /nested/answers
		nested.get('/answers', (_request, response) => {
			response.send('');
		});
		app.use('/nested', nested);
		return app.listen(at);
	},
	/** What its middleware starts first, no handler waits for. */
	expressAtOnce(at) {
		const app = require('express')();
		app.use((_request, _response, next) => {
			void stat();
			next();
		});
		// ↓ expressAtOnce /waits
		app.get('/waits', async (_request, response) => {
			await sleep(1);
			response.json({});
		});
		// ↓ expressAtOnce /answers
		app.get('/answers', (_request, response) => {
			response.json({});
		});
		return app.listen(at);
	},
	/** Its middleware starts something only once the handler has. */
	expressBehind(at) {
		const app = require('express')();
		app.use((_request, _response, next) => {
			next();
			void stat();
		});
		// ↓ expressBehind /waits
		app.get('/waits', async (_request, response) => {
			await sleep(1);
			response.json({});
		});
		return app.listen(at);
	},
	/** Its hook waits before the handler, and another one behind it. */
	fastify(at) {
		const app = require('fastify')();
		app.addHook('onRequest', async () => {
			await stat();
		});
		app.addHook('onSend', async () => {
			await stat();
		});
		// ↓ fastify /waits
		app.get('/waits', async () => {
			await sleep(1);
			return {};
		});
		// ↓ fastify /answers
		app.get('/answers', (_request, reply) => {
			reply.send({});
		});
		void app.listen(at);
		return app.server;
	},
	/** With a plugin that has a prefix, and a hook with a callback. */
	fastifyPlugin(at) {
		const app = require('fastify')();
		app.addHook('preHandler', async () => {
			await fs.promises.stat(__filename);
		});
		app.register(
			async (plugin) => {
				plugin.addHook('onRequest', (_request, _reply, done) => void setTimeout(done, 1));
				// ↓ fastifyPlugin /plugin/waits
				plugin.get('/waits', async () => {
					await sleep(1);
					return {};
				});
				// ↓ fastifyPlugin /plugin/answers
				plugin.get('/answers', (_request, reply) => {
					reply.send({});
				});
			},
			{ prefix: '/plugin' },
		);
		void app.listen(at);
		return app.server;
	},
	/** Behind a guard that waits and an interceptor, as TypeScript compiles it; and a route without. */
	async nest({ port, host }) {
		require('reflect-metadata');
		const { Controller, Get, Module, UseGuards, UseInterceptors } = require('@nestjs/common');
		const { NestFactory } = require('@nestjs/core');
		const { ExpressAdapter } = require('@nestjs/platform-express');
		const { tap } = require('rxjs');
		class Guard {
			async canActivate() {
				await stat();
				return true;
			}
		}
		class Interceptor {
			intercept(_context, next) {
				return next.handle().pipe(tap(() => undefined));
			}
		}
		class Routes {
			// ↓ nest /waits
			async waits() {
				await sleep(1);
				return {};
			}
			// ↓ nest /reads
			async reads() {
				return await fs.promises.readFile(__filename);
			}
			// ↓ nest /open
			async open() {
				await stat();
				return {};
			}
		}
		const guarded = [UseGuards(Guard), UseInterceptors(Interceptor)];
		const decorate = (name, decorators) => {
			const method = Object.getOwnPropertyDescriptor(Routes.prototype, name);
			Reflect.decorate([Get(`/${name}`), ...decorators], Routes.prototype, name, method);
		};
		decorate('waits', guarded);
		decorate('reads', guarded);
		decorate('open', []);
		class App {}
		Reflect.decorate([Module({ controllers: [Reflect.decorate([Controller()], Routes)] })], App);
		const app = await NestFactory.create(App, new ExpressAdapter(), { logger: false });
		await app.listen(port, host);
		return app.getHttpServer();
	},
	/** Two functions of its one script call middlewares and handlers. */
	async polka(at) {
		const polka = require('polka');
		const nested = polka();
		// ↓ polka /nested/waits
		nested.get('/waits', async (_request, response) => {
			await sleep(1);
			response.end();
		});
		// ↓ polka /nested/answers
		nested.get('/answers', (_request, response) => {
			response.end();
		});
		const app = polka();
		app.use(async (_request, _response, next) => {
			await stat();
			next();
		});
		app.use('/nested', nested);
		app.listen(at);
		return app.server;
	},
	/** The same. */
	h3(at) {
		const { createApp, createRouter, eventHandler, toNodeListener } = require('h3');
		const app = createApp();
		app.use(
			eventHandler(async () => {
				await stat();
			}),
		);
		const router = createRouter();
		router.get(
			'/waits',
			// ↓ h3 /waits
			eventHandler(async () => {
				await sleep(1);
				return '';
			}),
		);
		app.use(router);
		return http.createServer(toNodeListener(app)).listen(at);
	},
	/** Its middleware waits before and behind the handler. */
	koa(at) {
		const app = new (require('koa'))();
		app.use(async (_context, next) => {
			await fs.promises.stat(__filename); // koa asks first
			await next();
			await stat();
		});
		// ↓ koa /waits
		const waits = async (context, next) => {
			if (context.path !== '/waits') return await next();
			await sleep(1);
			context.body = {};
		};
		app.use(waits);
		// ↓ koa /reads
		app.use(async (context) => {
			await fs.promises.readFile(__filename);
			context.body = {};
		});
		return app.listen(at);
	},
};

const PATHS = {
	express: ['/waits', '/answers', '/own', '/nested/answers'],
	expressAtOnce: ['/waits', '/answers'],
	expressBehind: ['/waits'],
	fastify: ['/waits', '/answers'],
	fastifyPlugin: ['/plugin/waits', '/plugin/answers'],
	nest: ['/waits', '/reads', '/open'],
	polka: ['/nested/waits', '/nested/answers'],
	h3: ['/waits'],
	koa: ['/waits', '/reads'],
};

function ask(port, path, agent) {
	return new Promise((resolve, reject) => {
		const request = http.get({ host: '127.0.0.1', port, path, agent }, (response) => {
			if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
			response.resume().on('end', resolve);
		});
		request.on('error', reject);
	});
}

async function main() {
	for (const [name, start] of Object.entries(SERVERS)) {
		const server = await start({ port: 0, host: '127.0.0.1' });
		await new Promise((resolve) => (server.listening ? resolve() : server.once('listening', resolve)));
		const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
		for (let i = 0; i < ROUNDS; i++) for (const path of PATHS[name]) await ask(server.address().port, path, agent);
		agent.destroy();
		await new Promise((resolve) => server.close(resolve));
	}
}

main();
