// Watches the queues in which libraries keep what waits for a connection: arrays of JavaScript, which no hook sees. A
// queue is found when the library calls one of its own methods that programs seldom call. Of the functions only those
// are replaced that put something into a queue or take it out, and no frame of ours appears in a stack that a program
// can read.

import { join } from '../process/node-functions.ts';
import { getOwnPropertyDescriptor, tryToDefine } from '../process/object-functions.ts';
import { isObject, isOrdinary, ownValue } from '../process/own-value.ts';
import { pathOf } from '../sites/script-name.ts';
import type { Queue } from './connection-waits.ts';
import { batchOf, KEEPERS, type Keeper, type KeptQueue, type Need } from './library-queues.ts';
import type { Guard } from './port.ts';
import { handleId, handleOf } from './socket-handle.ts';

/**
 * Records what waits; called from inside the library's own code. A batch is what several items are sent with; null for
 * an item that is alone.
 */
interface Waits {
	begin(item: object, queue: Queue, need: Need, batch: object | null): void;
	/**
	 * `item` is taken out, and the library goes on with it.
	 * @param given the connection that a pool gives it; null where that is unknown
	 */
	end(item: object, queue: Queue, given: object | null): void;
	/** `item` is taken out, and nothing is done for it. */
	giveUp(item: object, queue: Queue): void;
}

/** Records what is sent over connections and answered; called in the same way. */
interface Answers {
	/** From now on a queue shows what is sent over that handle. */
	leaveToQueue(handle: number): void;
	askInTurn(item: object, batch: object | null, handle: number): void;
	answerInTurn(item: object): void;
}

export class ConnectionQueues {
	private readonly waits: Waits;
	private readonly answers: Answers;
	private readonly guard: Guard;
	private readonly watched = new WeakSet<object>();
	/** For each client, the queue whose answers come now. */
	private readonly current = new WeakMap<object, WeakRef<object>>();
	private unwatched: string[] = [];
	/**
	 * Functions that put the classes' methods back. A queue's methods stay replaced: there are as many queues as
	 * connections, and by then the replacements do nothing.
	 */
	private readonly undos: (() => void)[] = [];

	/** @param guard keeps a failure of ours away from the program */
	constructor(waits: Waits, answers: Answers, guard: Guard) {
		this.waits = waits;
		this.answers = answers;
		this.guard = guard;
	}

	/**
	 * A script of a library runs that was not seen before; it may still be loading.
	 * @param name V8's, a path or a URL
	 */
	see(name: string): void {
		if (KEEPERS.some(({ script }) => script.test(name))) this.unwatched.push(name);
	}

	/** Something starts: by now, scripts that were loading may be complete. */
	look(): void {
		if (this.unwatched.length > 0) this.unwatched = this.unwatched.filter((name) => !this.watchScript(name));
	}

	stop(): void {
		const undos = this.undos.splice(0);
		for (let at = 0; at < undos.length; at++) undos[at]!();
	}

	/** @returns whether it is loaded by now */
	private watchScript(name: string): boolean {
		for (const keeper of KEEPERS) {
			const found = keeper.script.exec(name);
			if (found === null) continue;
			const { exportedBy } = keeper;
			const file = pathOf(name);
			const files = exportedBy?.map((other) => join(file, '..', other)) ?? [file];
			const module = files.map((each) => ownValue(require.cache, each)).find(isObject);
			if (ownValue(module, 'loaded') !== true) return false;
			const exported = ownValue(module, 'exports');
			const exportedClass = ownValue(exported, 'default') ?? ownValue(exported, 'Pool') ?? exported;
			const prototype = ownValue(exportedClass, 'prototype');
			if (!isOrdinary(prototype)) continue;
			const folder = name.slice(0, found.index + found[0].length);
			for (const method of keeper.methods) this.watchClass(prototype, method, keeper, folder);
		}
		return true;
	}

	private watchClass(prototype: object, method: string, { queues, renewing }: Keeper, folder: string): void {
		const descriptor = getOwnPropertyDescriptor(prototype, method);
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
			if (this !== prototype) watch(this);
			// An instance that is the queue itself has its own by now.
			return ownValue(this, method) ?? value;
		}
		/** Behaves as an assignment does where there is no accessor. */
		function set(this: object, replacement: unknown): void {
			const isOwn = this === prototype;
			tryToDefine(this, method, {
				configurable: true,
				enumerable: isOwn ? enumerable : true,
				value: replacement,
				writable: true,
			});
		}
		tryToDefine(prototype, method, { configurable: true, enumerable, get, set });
		const weakly = new WeakRef(prototype);
		this.undos.push(() => {
			const ours = weakly.deref();
			if (ours !== undefined && getOwnPropertyDescriptor(ours, method)?.get === get) {
				tryToDefine(ours, method, descriptor);
			}
		});
	}

	private watchQueue(instance: object, kept: KeptQueue, folder: string): void {
		const items = kept.path.reduce<unknown>(ownValue, instance);
		if (!isOrdinary(items) || (this.watched.has(items) && items !== instance) || kept.isReplaced?.(instance)) return;
		this.watched.add(items);
		if (kept.use === 'answers') this.watchAnswers(instance, items, kept);
		else this.watchWaits(instance, items, { ...kept, use: kept.use }, folder);
	}

	private watchWaits(
		instance: object,
		items: object,
		{ use, need, gives, identity }: KeptQueue & Pick<Queue, 'use'>,
		folder: string,
	): void {
		const { waits } = this;
		const owner = new WeakRef(instance);
		const weakly = new WeakRef(items);
		const queue: Queue = { use, folder, owner, length: () => lengthOf(weakly.deref()) };
		const giveUp = (removed: unknown) => this.each(removed, identity, (item) => waits.giveUp(item, queue));
		this.watchMethod(items, 'push', (_length, { 0: item }) =>
			this.one(item, identity, (identified) => {
				const self = owner.deref();
				const needed = self === undefined ? 'others' : (need?.(self, queue.length()) ?? 'others');
				waits.begin(identified, queue, needed, batchOf(item as object));
			}),
		);
		this.watchMethod(items, 'shift', (item) =>
			this.one(item, identity, (identified) => {
				const self = owner.deref();
				const given = self === undefined ? undefined : gives?.(self);
				waits.end(identified, queue, isObject(given) ? given : null);
			}),
		);
		this.watchMethod(items, 'splice', giveUp);
		this.watchMethod(items, 'remove', giveUp);
	}

	/** Watches a queue that shows what is sent over a client's connection and what is answered. */
	private watchAnswers(client: object, items: object, { identity }: KeptQueue): void {
		// Pipelining joins what several lines send only later, in an immediate: which line sent which part is visible
		// nowhere.
		if (ownValue(ownValue(client, 'options'), 'enableAutoPipelining') === true) return;
		const { answers, current } = this;
		const before = current.get(client)?.deref();
		// What was sent over a lost connection is sent again, or is never answered.
		if (before !== undefined && ownValue(client, 'prevCommandQueue') !== before) {
			eachLeft(before, identity, (item) => answers.answerInTurn(item));
		}
		const self = new WeakRef(items);
		current.set(client, self);
		const owner = new WeakRef(client);
		const socketHandle = () => {
			const handle = handleOf(ownValue(owner.deref(), 'stream'));
			return handle === null ? -1 : handleId(handle);
		};
		answers.leaveToQueue(socketHandle());
		const answer = (item: object) => {
			const asker = owner.deref();
			// What is taken out of an earlier queue is about to be sent again.
			if (asker === undefined || current.get(asker) === self) answers.answerInTurn(item);
		};
		this.watchMethod(items, 'push', (_length, { 0: item }) =>
			this.one(item, identity, (identified) => answers.askInTurn(identified, batchOf(item as object), socketHandle())),
		);
		this.watchMethod(items, 'shift', (item) => this.one(item, identity, answer));
		this.watchMethod(items, 'remove', (removed) => this.each(removed, identity, answer));
	}

	private one(item: unknown, identity: KeptQueue['identity'], note: (identified: object) => void): void {
		if (isObject(item)) note(identified(item, identity));
	}

	private each(items: unknown, identity: KeptQueue['identity'], note: (identified: object) => void): void {
		if (!Array.isArray(items)) return;
		for (let at = 0; at < items.length; at++) this.one(items[at], identity, note);
	}

	/** Calls `note` after each call of a method of that object. */
	private watchMethod(target: object, name: string, note: (result: unknown, args: unknown[]) => void): void {
		const { guard } = this;
		const original: unknown = Reflect.get(target, name);
		if (typeof original !== 'function') return;
		const { [name]: value } = {
			[name](this: unknown, ...args: unknown[]): unknown {
				const result: unknown = Reflect.apply(original, this, args);
				guard(() => note(result, args));
				return result;
			},
		};
		tryToDefine(value!, 'length', { configurable: true, value: original.length });
		tryToDefine(target, name, { configurable: true, enumerable: false, value, writable: true });
	}
}

function identified(item: object, identity: KeptQueue['identity']): object {
	const same = identity?.(item);
	return isObject(same) ? same : item;
}

/** Each item that is still in a queue of denque's. */
function eachLeft(items: object, identity: KeptQueue['identity'], note: (identified: object) => void): void {
	const toArray: unknown = Reflect.get(items, 'toArray');
	if (typeof toArray !== 'function') return;
	for (const item of Reflect.apply(toArray, items, []) as unknown[]) {
		if (isObject(item)) note(identified(item, identity));
	}
}

/**
 * How many items a library's queue has: an array, or a class with a `length` getter; -1 when the queue no longer
 * exists.
 */
function lengthOf(items: object | undefined): number {
	const length: unknown = items === undefined ? -1 : Reflect.get(items, 'length');
	return typeof length === 'number' ? length : -1;
}
