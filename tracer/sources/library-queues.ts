// In which queues libraries keep what waits for a connection, or for its answer over one, and where to find these
// queues.

import { isOrdinary, ownValue } from '../process/own-value.ts';
import type { Queue } from './connection-waits.ts';

/** A class of a library whose instances keep waiting items in an array or the like. */
export interface Keeper {
	/** Where it is exported; matches up to the library's folder. */
	readonly script: RegExp;
	/** The file that exports it, seen from that script's folder, where the script itself does not: by version of the library. */
	readonly exportedBy?: readonly string[];
	/**
	 * Methods of the class that are called before something waits: most have private names, so programs neither replace
	 * nor read them.
	 */
	readonly methods: readonly string[];
	/** Those of these methods that are called when an instance has replaced its queues. */
	readonly renewing?: readonly string[];
	readonly queues: readonly KeptQueue[];
}

/**
 * What an item that was pushed waits for. `nothing`: it is taken out at once or in a tick of its own, where the stack
 * shows whose it is. `turn`: it is taken out in this turn of the loop, in any order. `others`: it waits until others
 * are done.
 */
export type Need = 'nothing' | 'turn' | 'others';

export interface KeptQueue {
	/** `answers` contains what was sent over a connection and is not answered, in the order of the answers. */
	readonly use: Queue['use'] | 'answers';
	/** The path to it from an instance, property by property; none where the instance is the queue. What is pushed there is an object or a function. */
	readonly path: readonly string[];
	/**
	 * What the item pushed last needs; `others` where this is not given.
	 * @param count how many items wait, including that one
	 */
	need?(instance: object, count: number): Need;
	/** Whether the queue is not in use yet: the instance is about to get another. */
	isReplaced?(instance: object): boolean;
	/** The connection that a pool gives to what it takes out. */
	gives?(instance: object): unknown;
	/** What stays the same when an item is moved from one queue to another; the item itself where this is not given. */
	identity?(item: object): unknown;
}

/** Pools take what is idle and was given back last. @param list its property @param name the connection's own in each entry */
function lastIdle(list: string, name: string): (pool: object) => unknown {
	return (pool) => {
		const idle = ownValue(pool, list);
		return ownValue(ownValue(idle, String(lengthOf(idle) - 1)), name);
	};
}

function lengthOf(array: unknown): number {
	const length = ownValue(array, 'length');
	return typeof length === 'number' ? length : 0;
}

/** Idle clients are handed out in ticks that are started with the `push`. */
function needOfPool(pool: object, count: number): Need {
	const idle = lengthOf(ownValue(pool, '_idle'));
	if (count > idle) return 'others';
	return count === 1 ? 'nothing' : 'turn';
}

function needOfClient(client: object, count: number): Need {
	if (count === 1 && ownValue(client, 'readyForQuery') === true) return 'nothing';
	return ownValue(client, 'pipeline') === true && ownValue(client, '_connected') === true ? 'turn' : 'others';
}

/** A resource that is free, or made for it alone, is its own at once. */
function needOfTarn(pool: object): Need {
	const taken = lengthOf(ownValue(pool, 'used')) + lengthOf(ownValue(pool, 'pendingCreates'));
	return taken < Number(ownValue(pool, 'max')) ? 'nothing' : 'others';
}

const commandOf = (item: object) => ownValue(item, 'command');

export const KEEPERS: readonly Keeper[] = [
	{
		script: /[\\/]pg-pool[\\/](?=index\.js$)/,
		methods: ['_isFull'],
		queues: [{ use: 'calls', path: ['_pendingQueue'], need: needOfPool, gives: lastIdle('_idle', 'client') }],
	},
	{
		script: /[\\/]pg[\\/](?=lib[\\/]client\.js$)/,
		methods: ['_attachListeners', '_pulseQueryQueue'],
		queues: [
			{ use: 'sends', path: ['_queryQueue'], need: needOfClient },
			// Its name before 8.16.
			{ use: 'sends', path: ['queryQueue'], need: needOfClient },
		],
	},
	{
		// The pool of knex.
		script: /[\\/]tarn[\\/](?=dist[\\/]Pool\.js$)/,
		methods: ['_tryAcquireOrCreate'],
		queues: [{ use: 'settles', path: ['pendingAcquires'], need: needOfTarn, gives: lastIdle('free', 'resource') }],
	},
	{
		// Its pools have their queues under symbols, which nothing outside can look up: the class of the queues is watched.
		// Version 5 has its files one folder higher.
		script: /[\\/]undici[\\/](?=lib[\\/](dispatcher[\\/])?pool-base\.js$)/,
		exportedBy: ['fixed-queue.js', 'node/fixed-queue.js'],
		methods: ['push', 'shift'],
		queues: [{ use: 'ticks', path: [] }],
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
			{ use: 'asks', path: ['offlineQueue'], identity: commandOf },
			{
				use: 'answers',
				path: ['commandQueue'],
				// Once it is connected it gets another queue.
				isReplaced: (client) => ownValue(client, 'status') === 'connecting',
				identity: commandOf,
			},
		],
	},
];

/** Items that are sent together are answered together: ioredis' pipelines. */
export function batchOf(item: object): object | null {
	const stream = ownValue(item, 'stream');
	return isOrdinary(stream) && ownValue(stream, 'isPipeline') === true ? stream : null;
}
