// What the tracer must know of each async_hooks resource type: whether it is recorded and how often its callback comes.

export interface Kind {
	/** Small and dense: an index into the predictor's arrays. */
	readonly index: number;
	readonly type: string;
	/**
	 * `operation` is recorded; `carrier` only hands its origin on to what it starts (ticks and microtasks are part of the
	 * drain); `ignored` is neither.
	 */
	readonly role: 'operation' | 'carrier' | 'ignored';
	/** Its callback comes once, so that the table may forget it then. */
	readonly once: boolean;
	/** A crypto job: its `…Sync` form fires an init too, and never calls back. */
	readonly isCrypto: boolean;
	/** Its completion is a job of libuv's pool, so that the pool exists from here on. */
	readonly isPooled: boolean;
	/** One of several may stand for all of them. */
	readonly isSampled: boolean;
	/** Its callbacks bring what nobody in the program has asked for. */
	readonly isServer: boolean;
	/** It starts a process or a thread. */
	readonly isChild: boolean;
	/** A handle whose writes no hook shows. */
	readonly isStream: boolean;
	readonly isConnect: boolean;
	/** One of the three, or what messages come through: the recorder looks at it more closely when it starts. */
	readonly isMet: boolean;
	/** Something asked over a client's socket, or that waits for one. */
	readonly isExchange: boolean;
	/** No type of Node: an AsyncResource of the program, or an add-on's work. */
	readonly isForeign: boolean;
	/** It waits for nothing but what may come from outside: each of its callbacks is an operation of this type; else null. */
	readonly event: string | null;
	/** The writer's generation that its type was last told in, and its id there. */
	told: number;
	stringId: number;
}

const CARRIERS = new Set(['TickObject', 'Microtask']);
/** Promises come where their hooks could not be kept away. The rest never call back into the program. */
const IGNORED = new Set([
	'PROMISE',
	'DNSCHANNEL',
	'NONE',
	'FILEHANDLE',
	'DIRHANDLE',
	'ELDHISTOGRAM',
	'INSPECTORJSBINDING',
]);
/** Requests: one callback each. Handles, composites and the AsyncResources of programs call back as often as they like. */
const ONCE =
	/^(TickObject|Microtask|Immediate|Timeout|(TCP|PIPE)CONNECTWRAP|UDPSENDWRAP|WRITEWRAP|SHUTDOWNWRAP|QUERYWRAP|PROCESSWRAP)$/;
/** Not those that the replay needs, that become something else, or that other operations belong to. */
const SAMPLED = /^(Immediate|Timeout|UDPSENDWRAP|WRITEWRAP|SHUTDOWNWRAP|QUERYWRAP)$/;
/** Work of libuv's pool: one job, one callback. */
const POOLED = /^(FSREQ(CALLBACK|PROMISE)|FILEHANDLECLOSEREQ|GET(ADDR|NAME)INFOREQWRAP)$/;
const CRYPTO =
	/^(PBKDF2|SCRYPT|RANDOMBYTES|RANDOMPRIME|CHECKPRIME|KEYPAIRGEN|KEYGEN|KEYEXPORT|CIPHER|DERIVEBITS|HASH|SIGN|VERIFY|ARGON2)REQUEST$/;

const NODES_OWN = /^([A-Z0-9_]+|Timeout|Immediate|TickObject|Microtask)$/;

/** Handles that only listen, and what each of their callbacks is. */
const EVENTS = new Map([
	['FSEVENTWRAP', 'FSEVENT'],
	['MESSAGEPORT', 'PORTMESSAGE'],
	['STATWATCHER', 'STATEVENT'],
	['UDPWRAP', 'UDPMESSAGE'],
]);

/** A program may name any number of AsyncResource types; past so many they share one kind. */
const KINDS = 1000;
const kinds = new Map<string, Kind>();

/** The kind of a resource type, made on first sight. */
export function kindOf(type: string): Kind {
	return kinds.get(type) ?? newKind(type);
}

function newKind(type: string): Kind {
	const isChild = type === 'PROCESSWRAP' || type === 'WORKER';
	const isStream = /^(ZLIB|TCPWRAP|PIPEWRAP|TLSWRAP)$/.test(type);
	const isConnect = /^(TCP|PIPE)CONNECTWRAP$/.test(type);
	const kind: Kind = {
		index: Math.min(kinds.size, KINDS),
		type,
		role: CARRIERS.has(type) ? 'carrier' : IGNORED.has(type) ? 'ignored' : 'operation',
		once: ONCE.test(type) || POOLED.test(type) || CRYPTO.test(type),
		isCrypto: CRYPTO.test(type),
		isPooled: POOLED.test(type) || CRYPTO.test(type) || type === 'STATWATCHER',
		isSampled: SAMPLED.test(type),
		isServer: /^(HTTPINCOMINGMESSAGE|(TCP|PIPE)SERVERWRAP)$/.test(type),
		isChild,
		isStream,
		isConnect,
		isMet: isChild || isStream || isConnect || type === 'MESSAGEPORT',
		isForeign: !NODES_OWN.test(type),
		isExchange: /^(EXCHANGE|TURNEXCHANGE|POOLWAIT|CONNECTIONWAIT)$/.test(type),
		event: EVENTS.get(type) ?? null,
		told: 0,
		stringId: 0,
	};
	if (kinds.size < KINDS) kinds.set(type, kind);
	return kind;
}
