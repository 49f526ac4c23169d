// Watches the queues in which libraries keep what waits for a connection: arrays of JavaScript, which no hook sees. One is found when
// the library calls a method of its own that programs seldom do; of the functions only a queue's `push`, `shift` and `splice` are replaced, and no frame
// of ours stands in a stack that a program can read.
import { types } from 'node:util';
import type { Queue } from './connection-waits.ts';
import { handleOf } from './socket-handle.ts';

/** A class of a library whose instances keep what waits in an array or the like. */
interface Keeper {
	/** Where it is exported; matches up to the library's folder. */
	readonly script: RegExp;
	/** Of the class, and called before something waits: most are private by their names, so that programs neither replace nor read them. */
	readonly methods: readonly string[];
	/** Of these methods, those that are called when an instance has got other queues. */
	readonly renewing?: readonly string[];
	readonly queues: readonly KeptQueue[];
}

interface KeptQueue {
	/** `answers` holds what was asked over a connection and is not answered, in the order of the answers. */
	readonly use: Queue['use'] | 'answers';
	/** The way to it from an instance, property by property. What is pushed there is an object or a function. */
	readonly path: readonly string[];
	/** Whether the only thing in the queue is taken out at once, or in its own tick: the stack says whose it is. */
	isFree?(instance: object): boolean;
	/** Whether it has no use yet: the instance is about to get another. */
	isReplaced?(instance: object): boolean;
	/** The connection that a pool gives to what it takes out. */
	gives?(instance: object): unknown;
}

/** pg-pool takes the idle client that was given back last. */
function idleClient(pool: object): unknown {
	const idle = ownValue(pool, '_idle');
	const length = ownValue(idle, 'length');
	return typeof length === 'number' ? ownValue(ownValue(idle, String(length - 1)), 'client') : undefined;
}

const isReady = (client: object) => ownValue(client, 'readyForQuery') === true;

const KEEPERS: readonly Keeper[] = [
	{
		script: /[\\/]pg-pool[\\/](?=index\.js$)/,
		methods: ['_isFull'],
		queues: [
			{
				use: 'calls',
				path: ['_pendingQueue'],
				isFree: (pool) => ownValue(ownValue(pool, '_idle'), 'length') !== 0,
				gives: idleClient,
			},
		],
	},
	{
		script: /[\\/]pg[\\/](?=lib[\\/]client\.js$)/,
		methods: ['_attachListeners', '_pulseQueryQueue'],
		queues: [
			{ use: 'sends', path: ['_queryQueue'], isFree: isReady },
			// Its name before 8.16.
			{ use: 'sends', path: ['queryQueue'], isFree: isReady },
		],
	},
	{
		script: /[\\/]mysql2[\\/](?=lib[\\/](base[\\/])?connection\.js$)/,
		methods: ['_handleNetworkError'],
		queues: [
			{ use: 'may send', path: ['_commands'] },
			{ use: 'ticks', path: ['config', 'pool', '_connectionQueue'] },
		],
	},
	{
		script: /[\\/]ioredis[\\/](?=built[\\/](redis[\\/]index|Redis)\.js$)/,
		methods: ['setStatus', '_readyCheck', 'getBlockingTimeoutInMs'],
		renewing: ['setStatus', '_readyCheck'],
		queues: [
			{ use: 'sends', path: ['offlineQueue'] },
			// When it is connected it gets another.
			{ use: 'answers', path: ['commandQueue'], isReplaced: (client) => ownValue(client, 'status') === 'connecting' },
		],
	},
];

/** What is asked together is answered together: ioredis' pipelines. */
function batchOf(item: object): object {
	const stream = ownValue(item, 'stream');
	return isOrdinary(stream) && ownValue(stream, 'isPipeline') === true ? stream : item;
}

/** Hears of what waits; all may be called in the midst of the library's own code, and must not throw. */
interface Listener {
	/** @param isFree whether it need not wait */
	begin(item: object, queue: Queue, isFree: boolean): void;
	/** It is taken out for the library to go on. @param given the connection that a pool gives it; null where nobody knows which */
	end(item: object, queue: Queue, given: object | null): void;
	/** It is taken out of the midst, and nothing is done for it. */
	giveUp(item: object, queue: Queue): void;
	/** What is asked over that handle is told by a queue from now on. Called within the guard. */
	follow(handle: object): void;
	/** @param batch what it is asked with, or itself @param handle over which */
	ask(batch: object, handle: object): void;
	answer(batch: object): void;
}

export class ConnectionQueues {
	private readonly listener: Listener;
	private readonly guard: (step: () => void) => void;
	private readonly watched = new WeakSet<object>();
	private unwatched: string[] = [];
	/** What puts the classes' methods back. A queue's stay: they are as many as connections, and do nothing then. */
	private readonly undos: (() => void)[] = [];

	/** @param guard keeps a failure of ours away from the program */
	constructor(listener: Listener, guard: (step: () => void) => void) {
		this.listener = listener;
		this.guard = guard;
	}

	/** A script of a library runs that was not seen before; it may still be loading. @param name V8's, which is its path */
	see(name: string): void {
		if (KEEPERS.some(({ script }) => script.test(name))) this.unwatched.push(name);
	}

	/** Something starts: scripts that were loading may have ended that. */
	look(): void {
		if (this.unwatched.length > 0) this.unwatched = this.unwatched.filter((name) => !this.watchScript(name));
	}

	stop(): void {
		for (const undo of this.undos.splice(0)) undo();
	}

	/** @returns whether it is loaded by now */
	private watchScript(name: string): boolean {
		const module = ownValue(require.cache, name);
		if (ownValue(module, 'loaded') !== true) return false;
		const exported = ownValue(module, 'exports');
		const prototype = ownValue(exported, 'prototype') ?? ownValue(ownValue(exported, 'default'), 'prototype');
		if (!isOrdinary(prototype)) return true;
		for (const keeper of KEEPERS) {
			const match = keeper.script.exec(name);
			if (match === null) continue;
			const folder = name.slice(0, match.index + match[0].length);
			for (const method of keeper.methods) this.watchClass(prototype, method, keeper, folder);
		}
		return true;
	}

	private watchClass(prototype: object, method: string, { queues, renewing }: Keeper, folder: string): void {
		const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
		if (typeof descriptor?.value !== 'function' || !descriptor.configurable) return;
		const { enumerable = false, value } = descriptor;
		const isRenewing = renewing?.includes(method) === true;
		const watch = (instance: unknown) => {
			if (!isOrdinary(instance) || (this.watched.has(instance) && !isRenewing)) return;
			this.watched.add(instance);
			this.guard(() => {
				for (const kept of queues) this.watchQueue(instance, kept, folder);
			});
		};
		function get(this: unknown): unknown {
			watch(this);
			return value;
		}
		/** As an assignment does where there is no accessor. */
		function set(this: object, replacement: unknown): void {
			const isOwn = this === prototype;
			Reflect.defineProperty(this, method, {
				configurable: true,
				enumerable: isOwn ? enumerable : true,
				value: replacement,
				writable: true,
			});
		}
		Reflect.defineProperty(prototype, method, { configurable: true, enumerable, get, set });
		const weakly = new WeakRef(prototype);
		this.undos.push(() => {
			const ours = weakly.deref();
			if (ours !== undefined && Object.getOwnPropertyDescriptor(ours, method)?.get === get) {
				Reflect.defineProperty(ours, method, descriptor);
			}
		});
	}

	private watchQueue(instance: object, kept: KeptQueue, folder: string): void {
		const { use, path, isFree, gives } = kept;
		const items = path.reduce<unknown>(ownValue, instance);
		if (!isOrdinary(items) || this.watched.has(items) || kept.isReplaced?.(instance)) return;
		this.watched.add(items);
		if (use === 'answers') {
			this.watchAnswers(instance, items);
			return;
		}
		const { listener } = this;
		const owner = new WeakRef(instance);
		const weakly = new WeakRef(items);
		const queue: Queue = { use, folder, owner, length: () => lengthOf(weakly.deref()) };
		watchMethod(items, 'push', (_length, [item]) => {
			if (!isObject(item)) return;
			const self = owner.deref();
			listener.begin(item, queue, queue.length() === 1 && self !== undefined && isFree?.(self) === true);
		});
		watchMethod(items, 'shift', (item) => {
			if (!isObject(item)) return;
			const self = owner.deref();
			const given = self === undefined ? undefined : gives?.(self);
			listener.end(item, queue, isObject(given) ? given : null);
		});
		watchMethod(items, 'splice', (removed) => {
			if (!Array.isArray(removed)) return;
			for (const item of removed) if (isObject(item)) listener.giveUp(item, queue);
		});
	}

	private watchAnswers(client: object, items: object): void {
		// What several lines ask is put together later, in an immediate: whose each is shows nowhere.
		if (ownValue(ownValue(client, 'options'), 'enableAutoPipelining') === true) return;
		const { listener } = this;
		const owner = new WeakRef(client);
		const handle = handleOf(ownValue(client, 'stream'));
		if (handle !== null) listener.follow(handle);
		watchMethod(items, 'push', (_length, [item]) => {
			const used = handleOf(ownValue(owner.deref(), 'stream'));
			if (isObject(item) && used !== null) listener.ask(batchOf(item), used);
		});
		watchMethod(items, 'shift', (item) => {
			if (isObject(item)) listener.answer(batchOf(item));
		});
		watchMethod(items, 'remove', (removed) => {
			if (!Array.isArray(removed)) return;
			for (const item of removed) if (isObject(item)) listener.answer(batchOf(item));
		});
	}
}

/** Has `note` called after each call of a method of that object. */
function watchMethod(target: object, name: string, note: (result: unknown, args: unknown[]) => void): void {
	const original: unknown = Reflect.get(target, name);
	if (typeof original !== 'function') return;
	const { [name]: value } = {
		[name](this: unknown, ...args: unknown[]): unknown {
			const result: unknown = Reflect.apply(original, this, args);
			note(result, args);
			return result;
		},
	};
	Reflect.defineProperty(value!, 'length', { configurable: true, value: original.length });
	Reflect.defineProperty(target, name, { configurable: true, enumerable: false, value, writable: true });
}

/** How many are in a queue of a library's: an array, or a class with such a getter; -1 when it is there no more. */
function lengthOf(items: object | undefined): number {
	const length: unknown = items === undefined ? -1 : Reflect.get(items, 'length');
	return typeof length === 'number' ? length : -1;
}

/** The value of an object's own property; undefined where reading it could call the program. */
function ownValue(of: unknown, name: string): unknown {
	return isOrdinary(of) ? Object.getOwnPropertyDescriptor(of, name)?.value : undefined;
}

function isOrdinary(value: unknown): value is object {
	return isObject(value) && !types.isProxy(value);
}

function isObject(value: unknown): value is object {
	return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
