// In which queues libraries keep what waits for a connection, or for its answer over one, and where to find these
// queues; and the workers of a library's own job queues.

import { getOwnPropertyDescriptor } from '../process/object-functions.ts';
import { isOrdinary, ownValue } from '../process/own-value.ts';
import { ASKS, CALLS, CALLS_IN_TICK, MAY_SEND, SENDS, SETTLES, type Use } from './connection-waits.ts';

/** A class of a library whose instances keep waiting items in an array or the like. */
export interface Keeper {
	/** Where it is exported: the source of a regular expression for a path with `/`, which matches up to the library's folder. */
	readonly script: string;
	/** The file that exports it, seen from that script's folder, where the script itself does not: by version of the library. */
	readonly exportedBy?: readonly string[];
	/** Its name among that file's exports, where the file exports several; `Pool` where this is not given. */
	readonly className?: string;
	/**
	 * Methods of the class that are called before something waits: most have private names, so programs neither replace
	 * nor read them.
	 */
	readonly methods: readonly string[];
	/** Those of these methods that are called when an instance has replaced its queues. */
	readonly renewing?: readonly string[];
	readonly queues: readonly KeptQueue[];
	/** Where instances are no queues but put something into one, or ask for something, once their caller has returned: what each method's read means. */
	readonly marks?: readonly Mark[];
}

/** The user's line wants the instance's result. */
export const WANTED = 1;
/** The instance puts its item into the queue, or asks, at once. */
export const PUSHES = 2;
/** It does not after all. */
export const HAS_ALL = 3;

export type Mark = typeof WANTED | typeof PUSHES | typeof HAS_ALL;

/** What an item that was pushed waits for: nothing, since it is taken out at once or in a tick of its own, where the stack shows whose it is. */
export const NOTHING = 0;
/** It is taken out in this turn of the loop, in any order. */
export const TURN = 1;
/** It waits until others are done. */
export const OTHERS = 2;
/** The same, unless its pool makes a connection for it right afterwards. */
export const NEW = 3;

export type Need = typeof NOTHING | typeof TURN | typeof OTHERS | typeof NEW;

/** The use of a queue that contains what was sent over a connection and is not answered, in the order of the answers. */
export const ANSWERS = -1;

/** The use of what is no queue but shows which jobs of one a worker works on. */
export const WORKS = -2;

export interface KeptQueue {
	readonly use: Use | typeof ANSWERS | typeof WORKS;
	/** The path to it from an instance, property by property; none where the instance is the queue. What is pushed there is an object or a function. */
	readonly path: readonly string[];
	/**
	 * What the item pushed last needs; OTHERS where this is not given.
	 * @param count how many items wait, including that one
	 */
	need?(instance: object, count: number): Need;
	/** Whether the queue is not in use yet: the instance is about to get another. */
	isReplaced?(instance: object): boolean;
	/** The connection that a pool gives to what it takes out. */
	gives?(instance: object): unknown;
	/**
	 * What stays the same when an item is moved from one queue to another, or is put into a node of a list; the item itself where this is not given.
	 * No object for what is not followed.
	 */
	identity?(item: object): unknown;
	/** Whether what it keeps besides is a connection that the library makes for the item which was just pushed elsewhere. */
	readonly keepsNew?: boolean;
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
	if (count > idle) return OTHERS;
	return count === 1 ? NOTHING : TURN;
}

function needOfClient(client: object, count: number): Need {
	if (count === 1 && ownValue(client, 'readyForQuery') === true) return NOTHING;
	return ownValue(client, 'pipeline') === true && ownValue(client, '_connected') === true ? TURN : OTHERS;
}

/** A resource that is free, or made for it alone, is its own at once. @param taken how many are not free */
function needOf(taken: number, max: unknown): Need {
	return taken < Number(max) ? NOTHING : OTHERS;
}

function needOfTarn(pool: object): Need {
	return needOf(lengthOf(ownValue(pool, 'used')) + lengthOf(ownValue(pool, 'pendingCreates')), ownValue(pool, 'max'));
}

function needOfGenericPool(pool: object): Need {
	const made = sizeOf(pool, '_allObjects') + sizeOf(pool, '_factoryCreateOperations');
	const free = lengthOf(ownValue(ownValue(pool, '_availableObjects'), '_list'));
	return needOf(made - free, ownValue(ownValue(pool, '_config'), 'max'));
}

/** It gives out connections in a microtask. */
function needOfMongo(pool: object, count: number): Need {
	const taken = sizeOf(pool, 'checkedOut') + Number(ownValue(pool, 'pending')) + count - 1;
	return needOf(taken, ownValue(ownValue(pool, 'options'), 'maxPoolSize') || Infinity);
}

const readSize = getOwnPropertyDescriptor(Set.prototype, 'size')!.get!;

/** The size of the Set in that property. */
function sizeOf(pool: object, name: string): number {
	return Reflect.apply(readSize, ownValue(pool, name), []);
}

const commandOf = (item: object) => ownValue(item, 'command');
const dataOf = (node: object) => ownValue(node, 'data');

/**
 * What node-redis puts into its lists, or a node of one: a task of a pool, which has a function to be given a connection, or else a command. Lists of
 * clients are not followed.
 */
function inListOfRedis(item: object, isTask: boolean): unknown {
	const value = ownValue(item, 'value') ?? item;
	return ownValue(value, 'reject') !== undefined && (ownValue(value, 'fn') !== undefined) === isTask
		? value
		: undefined;
}
const taskIn = (item: object) => inListOfRedis(item, true);
const commandIn = (item: object) => inListOfRedis(item, false);

const REDIS_LISTS = {
	script: '/@redis/client/(?=dist/lib/client/socket.js$)',
	exportedBy: ['linked-list.js'],
	// Not `shift`, which one of the classes calls of its parent.
	methods: ['push', 'unshift'],
};

export const KEEPERS: readonly Keeper[] = [
	{
		script: '/pg-pool/(?=index.js$)',
		methods: ['_isFull'],
		queues: [{ use: CALLS, path: ['_pendingQueue'], need: needOfPool, gives: lastIdle('_idle', 'client') }],
	},
	{
		script: '/pg/(?=lib/client.js$)',
		methods: ['_attachListeners', '_pulseQueryQueue'],
		queues: [
			{ use: SENDS, path: ['_queryQueue'], need: needOfClient },
			// Its name before 8.16.
			{ use: SENDS, path: ['queryQueue'], need: needOfClient },
		],
	},
	{
		// The pool of knex.
		script: '/tarn/(?=dist/Pool.js$)',
		methods: ['_tryAcquireOrCreate'],
		queues: [{ use: SETTLES, path: ['pendingAcquires'], need: needOfTarn, gives: lastIdle('free', 'resource') }],
	},
	{
		// A transaction asks for its connection in a promise of its own, to which no line leads. Without a function that is to run in it, knex itself calls its
		// `catch`; with one, the program awaits it. One that is given a connection has it at once.
		script: '/knex/(?=lib/execution/transaction.js$)',
		methods: ['catch', 'then', 'acquireConnection', '_onAcquire'],
		queues: [],
		marks: [WANTED, WANTED, PUSHES, HAS_ALL],
	},
	{
		// What is awaited asks in a job of V8's, whose stack leads to nobody up to Node 24.
		script: '/superagent/(?=lib/node/index.js$)',
		className: 'Request',
		methods: ['then', 'request', '_end'],
		queues: [],
		marks: [WANTED, PUSHES, PUSHES],
	},
	{
		script: '/generic-pool/(?=lib/Pool.js$)',
		methods: ['_ensureMinimum', '_dispense'],
		// One queue per priority; more than one is rare.
		queues: [
			{
				use: SETTLES,
				path: ['_waitingClientsQueue', '_slots', '0', '_list'],
				need: needOfGenericPool,
				identity: dataOf,
			},
		],
	},
	{
		script: '/mongodb/(?=lib/cmap/connection_pool.js$)',
		className: 'ConnectionPool',
		methods: ['ensureMinPoolSize', 'processWaitQueue'],
		queues: [{ use: SETTLES, path: ['waitQueue'], need: needOfMongo }],
	},
	{
		// Its queues are private fields, which nothing outside can look up: the classes of its lists are watched.
		...REDIS_LISTS,
		className: 'DoublyLinkedList',
		queues: [{ use: ASKS, path: [], identity: commandIn, keepsNew: true }],
	},
	{
		...REDIS_LISTS,
		className: 'SinglyLinkedList',
		queues: [
			{ use: CALLS, path: [], need: () => NEW, identity: taskIn },
			{ use: ANSWERS, path: [], identity: commandIn },
		],
	},
	{
		// Its pools have their queues under symbols, which nothing outside can look up: the class of the queues is watched.
		// Version 5 has its files one folder higher.
		script: '/undici/(?=lib/(dispatcher/)?pool-base.js$)',
		exportedBy: ['fixed-queue.js', 'node/fixed-queue.js'],
		methods: ['push', 'shift'],
		queues: [{ use: CALLS_IN_TICK, path: [] }],
	},
	{
		script: '/bullmq/(?=dist/cjs/classes/worker.js$)',
		className: 'Worker',
		// The second is for a worker that was made before its class could be watched.
		methods: ['startStalledCheckTimer', 'processJob'],
		queues: [{ use: WORKS, path: ['lockManager'] }],
	},
	{
		script: '/mysql2/(?=lib/(base/)?connection.js$)',
		methods: ['_handleNetworkError'],
		queues: [
			{ use: MAY_SEND, path: ['_commands'] },
			{ use: CALLS_IN_TICK, path: ['config', 'pool', '_connectionQueue'] },
		],
	},
	{
		script: '/ioredis/(?=built/(redis/index|Redis).js$)',
		methods: ['setStatus', '_readyCheck', 'getBlockingTimeoutInMs'],
		renewing: ['setStatus', '_readyCheck'],
		queues: [
			{ use: ASKS, path: ['offlineQueue'], identity: commandOf },
			{
				use: ANSWERS,
				path: ['commandQueue'],
				// Once it is connected it gets another queue.
				isReplaced: (client) => ownValue(client, 'status') === 'connecting',
				identity: commandOf,
			},
		],
	},
];

/** The latest commands of node-redis that are sent together, and what each such command is sent with. */
let chain: { readonly id: symbol; readonly batch: object } | undefined;
const chained = new WeakMap<object, object>();

/** Items that are sent together are answered together: ioredis' pipelines, and node-redis' transactions and pipelines. */
export function batchOf(item: object): object | null {
	// Node-redis takes it away before it sends the command.
	const id = ownValue(item, 'chainId');
	if (typeof id === 'symbol') {
		if (chain?.id !== id) chain = { id, batch: {} };
		chained.set(item, chain.batch);
	}
	const stream = ownValue(item, 'stream');
	return isOrdinary(stream) && ownValue(stream, 'isPipeline') === true ? stream : (chained.get(item) ?? null);
}
