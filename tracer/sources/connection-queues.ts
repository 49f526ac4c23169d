// Watches the queues in which libraries keep what waits for a connection: arrays of JavaScript, which no hook sees. A
// queue is found when the library calls one of its own methods that programs seldom call. Of the functions only those
// are replaced that put something into a queue or take it out, and no frame of ours appears in a stack that a program
// can read.

import type { Operation } from '../operations/operation.ts';
import { join } from '../process/node-functions.ts';
import { defineValue, tryToDefine } from '../process/object-functions.ts';
import { isObject, isOrdinary, ownValue } from '../process/own-value.ts';
import { watchReads } from '../process/watch-reads.ts';
import { pathOf } from '../sites/script-name.ts';
import type { Link, Queue } from './connection-waits.ts';
import {
	ANSWERS,
	batchOf,
	KEEPERS,
	type Keeper,
	type KeptQueue,
	type Mark,
	type Need,
	OTHERS,
	TURN,
	WORKS,
} from './library-queues.ts';
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
	/** A pool makes a connection for what was pushed last. */
	makeNew(): void;
	/** See Mark. @param instance one whose item is to wait @param folder its library's */
	mark(instance: object, mark: Mark, folder: string): void;
}

/** Records what is sent over connections and answered; called in the same way. */
interface AnswersInTurn {
	/** From now on a queue shows what is sent over that handle. */
	leaveToQueue(handle: number): void;
	/** @param link where it is sent when that shows only in what is written next; else null */
	askInTurn(item: object, batch: object | null, handle: number, link: Link | null): void;
	answerInTurn(item: object): void;
	/** The connection is lost, and with it the answers to all that was asked over it. */
	lose(link: Link): void;
}

/** Records the jobs of queues; called in the same way. */
interface QueuedJobs {
	/** A worker is made on the running line. @returns records that it begins with a job of that name */
	addWorker(queue: unknown): (name: unknown) => Operation;
	end(job: Operation): void;
}

export class ConnectionQueues {
	private readonly waits: Waits;
	private readonly answers: AnswersInTurn;
	private readonly jobs: QueuedJobs;
	private readonly guard: Guard;
	private readonly watched = new WeakSet<object>();
	/** For each client, the queue whose answers come now. */
	private readonly current = new WeakMap<object, WeakRef<object>>();
	private unwatched: string[] = [];
	/** How many stacks were read. */
	private looks = 0;
	/** The queue out of which a connection took something last. */
	private taken: Queue | null = null;
	/**
	 * Functions that put the classes' methods back. A queue's methods stay replaced: there are as many queues as
	 * connections, and by then the replacements do nothing.
	 */
	private readonly undos: (() => void)[] = [];

	/** @param guard keeps a failure of ours away from the program */
	constructor(waits: Waits, answers: AnswersInTurn, jobs: QueuedJobs, guard: Guard) {
		this.waits = waits;
		this.answers = answers;
		this.jobs = jobs;
		this.guard = guard;
	}

	/**
	 * A script of a library runs that was not seen before; it may still be loading.
	 * @param name V8's, a path or a URL
	 */
	see(name: string): void {
		if (KEEPERS.some(({ script }) => find(name, script))) this.unwatched.push(name);
	}

	/** A stack was read: by now, scripts that were loading may be complete. */
	look(): void {
		const looks = ++this.looks;
		// Only after 1, 2, 4, 8 … stacks: going through all files of the program takes long.
		if ((looks & (looks - 1)) === 0) this.unwatched.push(...Object.keys(require.cache).filter(isQuiet));
		if (this.unwatched.length > 0) this.unwatched = this.unwatched.filter((name) => !this.watchScript(name));
	}

	stop(): void {
		const undos = this.undos.splice(0);
		for (let at = 0; at < undos.length; at++) undos[at]!();
	}

	/** @returns whether it is loaded by now */
	private watchScript(name: string): boolean {
		for (const keeper of KEEPERS) {
			const found = find(name, keeper.script);
			if (found === null) continue;
			const { exportedBy } = keeper;
			const file = pathOf(name);
			const files = exportedBy?.map((other) => join(file, '..', other)) ?? [file];
			const module = files.map((each) => ownValue(require.cache, each)).find(isObject);
			if (ownValue(module, 'loaded') !== true) return false;
			const exported = ownValue(module, 'exports');
			const exportedClass = ownValue(exported, 'default') ?? ownValue(exported, keeper.className ?? 'Pool') ?? exported;
			const prototype = ownValue(exportedClass, 'prototype');
			if (!isOrdinary(prototype)) continue;
			const folder = name.slice(0, found.index! + found[0].length);
			for (const method of keeper.methods) this.watchClass(prototype, method, keeper, folder);
		}
		return true;
	}

	private watchClass(
		prototype: object,
		method: string,
		{ marks, methods, queues, renewing }: Keeper,
		folder: string,
	): void {
		const { guard, waits } = this;
		const mark = marks?.[methods.indexOf(method)];
		const isRenewing = renewing?.includes(method) === true;
		const undo = watchReads(prototype, method, (_getter, instance) => {
			if (instance === prototype || !isOrdinary(instance)) return;
			if (mark !== undefined) guard(() => waits.mark(instance, mark, folder));
			if (mark !== undefined || (this.watched.has(instance) && !isRenewing)) return;
			this.watched.add(instance);
			guard(() => {
				for (const kept of queues) this.watchQueue(instance, kept, folder);
			});
			// An instance that is the queue itself has its own by now.
			return ownValue(instance, method);
		});
		if (undo !== null) this.undos.push(undo);
	}

	private watchQueue(instance: object, kept: KeptQueue, folder: string): void {
		const items = kept.path.reduce<unknown>(ownValue, instance);
		if (!isOrdinary(items) || (this.watched.has(items) && items !== instance) || kept.isReplaced?.(instance)) return;
		this.watched.add(items);
		if (kept.use === WORKS) this.watchWorker(instance, items);
		else if (kept.use === ANSWERS) this.watchAnswers(instance, items, kept, folder);
		else this.watchWaits(instance, items, { ...kept, use: kept.use }, folder);
	}

	private watchWaits(
		instance: object,
		items: object,
		{ use, need, gives, identity, keepsNew }: KeptQueue & Pick<Queue, 'use'>,
		folder: string,
	): void {
		const { waits } = this;
		const owner = new WeakRef(instance);
		const weakly = new WeakRef(items);
		const queue: Queue = { use, folder, owner, link: null, length: () => lengthOf(weakly.deref()) };
		const giveUp = (removed: unknown, { 0: node }: unknown[]) =>
			// Lists remove a node.
			this.each(removed ?? [node], identity, (item) => waits.giveUp(item, queue));
		const push = (_length: unknown, { 0: item }: unknown[]) => {
			const isItem = this.one(item, identity, (identified) => {
				const self = owner.deref();
				const needed = self === undefined ? OTHERS : (need?.(self, queue.length()) ?? OTHERS);
				waits.begin(
					identified,
					queue,
					queue.link !== null && queue.link.handle > 0 ? TURN : needed,
					batchOf(item as object),
				);
			});
			if (!isItem && keepsNew) waits.makeNew();
		};
		this.watchMethod(items, 'push', push);
		this.watchMethod(items, 'insertEnd', push);
		this.watchMethod(items, 'shift', (item) =>
			this.one(item, identity, (identified) => {
				const self = owner.deref();
				const given = self === undefined ? undefined : gives?.(self);
				waits.end(identified, queue, isObject(given) ? given : null);
				this.taken = queue;
			}),
		);
		this.watchMethod(items, 'splice', giveUp);
		this.watchMethod(items, 'remove', giveUp);
	}

	/** Watches a queue that shows what is sent over a client's connection and what is answered. */
	private watchAnswers(client: object, items: object, { identity }: KeptQueue, folder: string): void {
		// Pipelining joins what several lines send only later, in an immediate: which line sent which part is visible
		// nowhere.
		if (ownValue(ownValue(client, 'options'), 'enableAutoPipelining') === true) return;
		const { answers, current } = this;
		const before = current.get(client)?.deref();
		// What was sent over a lost connection is sent again, or is never answered.
		if (before !== undefined && ownValue(client, 'prevCommandQueue') !== before) {
			const toArray: unknown = Reflect.get(before, 'toArray');
			if (typeof toArray === 'function')
				this.each(Reflect.apply(toArray, before, []), identity, (item) => answers.answerInTurn(item));
		}
		const self = new WeakRef(items);
		current.set(client, self);
		const owner = new WeakRef(client);
		// Nothing leads from a list to its connection.
		const link: Link | null = client === items ? { folder, handle: -1 } : null;
		const socketHandle = () => {
			if (link !== null) return link.handle;
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
			this.one(item, identity, (identified) => {
				// It was just taken out of the queue of what is to be sent over the same connection.
				if (link !== null && this.taken !== null) this.taken.link = link;
				answers.askInTurn(identified, batchOf(item as object), socketHandle(), link);
			}),
		);
		if (link !== null) this.watchMethod(items, 'reset', () => answers.lose(link));
		this.watchMethod(items, 'shift', (item) => this.one(item, identity, answer));
		this.watchMethod(items, 'remove', (removed) => this.each(removed, identity, answer));
	}

	/** Watches what a worker of bullmq calls right before it calls the program, and once that is done with the job. */
	private watchWorker(worker: object, locks: object): void {
		const { jobs } = this;
		const begin = jobs.addWorker(ownValue(worker, 'name'));
		const open = new Map<unknown, Operation>();
		this.watchMethod(worker, 'getUnrecoverableErrorMessage', (reason, { 0: job }) => {
			if (!reason) open.set(ownValue(job, 'id'), begin(ownValue(job, 'name')));
		});
		this.watchMethod(locks, 'untrackJob', (_undefined, { 0: id }) => {
			const job = open.get(id)!;
			if (open.delete(id)) jobs.end(job);
		});
	}

	/** @returns whether it is an object that is followed */
	private one(item: unknown, identity: KeptQueue['identity'], note: (identified: object) => void): boolean {
		const identified = isObject(item) && identity !== undefined ? identity(item) : item;
		if (!isObject(identified)) return false;
		note(identified);
		return true;
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
		defineValue(target, name, value, false);
	}
}

/** Whether it is the script of a pool or worker that starts little itself, so that it is seldom in a stack. */
function isQuiet(name: string): boolean {
	return /(pool.lib.Pool|cjs.classes.worker|knex.lib.execution.transaction|superagent.lib.node.index)\.js$/.test(name);
}

/** Where a keeper's script is in a name; null where it is not. */
function find(name: string, script: string): RegExpMatchArray | null {
	return name.match(script.replace(/\//g, '[\\\\/]'));
}

/**
 * How many items a library's queue has: an array, or a class with a `length` getter; -1 when the queue no longer
 * exists.
 */
function lengthOf(items: object | undefined): number {
	const length: unknown = items === undefined ? -1 : Reflect.get(items, 'length');
	return typeof length === 'number' ? length : -1;
}
