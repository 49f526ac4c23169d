// What each type of async resource means to a person, one row per type of `resource-types.ts`: its class, its public
// name, and how the engine counts it. The tracer does not need this table and does not include it.
import {
	AGENT_SOCKET,
	CONNECTION_QUEUE,
	EARLIER_COMMAND,
	POOL_CONNECTION,
	READER,
	RESPONSE_BODY,
	WORKER,
} from './connection-wait.ts';
import { ADDON_PREFIX } from './journal.ts';
import type { OperationClass } from './report.ts';
import { CRYPTO_NAME, type ResourceType } from './resource-types.ts';

/** What the engine knows of a resource type. */
export interface ResourceFacts {
	class: OperationClass;
	/** Operations of one family may be steps of one logical operation; '' never. */
	family: '' | 'fs' | 'dns' | 'crypto' | 'zlib';
	/** Whether its lines are shown; `called` only when the program called this very API, not when another API used it. */
	shown: 'always' | 'called' | 'never';
	/** Its name when the call gives none. */
	name: string;
	/** One pool job per operation; `slow` is libuv's word for getaddrinfo and getnameinfo. */
	pool: 'fast' | 'slow' | null;
	/** Its name is like a function's: a library may have only kept the context for a callback, and has started nothing. */
	mayBeBound: boolean;
	/** Work of an add-on: it is unknown whether it is a job of the pool or of a thread of its own. */
	isAddon: boolean;
	/** Whether the program's code runs when it is over. */
	hasRun: boolean;
	/** Whether its callback comes once, so that it can be forgotten then. */
	callsBackOnce: boolean;
	/** Whether a callback inside another is not its end. */
	endsOnTop: boolean;
	/** Several may be under way on one connection: a callback answers the first of them, and perhaps others. */
	answersInTurn: boolean;
	/**
	 * The program did not start it but serves it: only its callback shows which of the functions that it calls blocks
	 * the loop.
	 */
	comesFromOutside: boolean;
	/** Modules of Node whose functions name it, as a pattern on the script; null takes any. */
	modules: RegExp | null;
}

/** Not an operation: a handle, a composite, or an entry of the thread's own. */
const NEVER: ResourceFacts = {
	class: 'other',
	family: '',
	shown: 'never',
	name: '',
	pool: null,
	mayBeBound: false,
	isAddon: false,
	hasRun: true,
	callsBackOnce: false,
	endsOnTop: false,
	answersInTurn: false,
	comesFromOutside: false,
	modules: null,
};
/** No function of Node's names it. */
const UNNAMED = /^$/;

const JOB: ResourceFacts = { ...NEVER, class: 'threadpool', shown: 'always', pool: 'fast', callsBackOnce: true };
const FS: ResourceFacts = { ...JOB, family: 'fs', name: 'fs', modules: /^node:(fs|internal\/fs)/ };
/** The same where libuv gives the call to io_uring instead of the pool. */
export const FS_ON_RING: ResourceFacts = { ...FS, class: 'io_uring', pool: null };
const CRYPTO: ResourceFacts = { ...JOB, family: 'crypto', name: 'crypto', modules: /^node:(crypto|internal\/crypto)/ };
const DNS = /^node:(dns|internal\/dns)/;
/** Node's scripts of TLS. */
export const TLS = /^node:(tls|_tls_wrap|internal\/tls\/wrap)$/;
const LOOKUP: ResourceFacts = { ...JOB, family: 'dns', pool: 'slow', modules: DNS };

const KERNEL: ResourceFacts = { ...NEVER, class: 'kernel', shown: 'called', callsBackOnce: true };
const EXCHANGE: ResourceFacts = { ...KERNEL, shown: 'always', name: 'net.Socket.write', modules: UNNAMED };
const CONNECTION: ResourceFacts = {
	...NEVER,
	shown: 'always',
	hasRun: false,
	callsBackOnce: true,
	modules: UNNAMED,
};
/** Part of an exchange's wait, found by the engine (`earlier-commands.ts`): no resource is of this type. */
export const EARLIER_COMMAND_WAIT: ResourceFacts = { ...CONNECTION, name: EARLIER_COMMAND };
/** What follows an HTTP client's request, found by the engine (`response-bodies.ts`): no resource is of this type. */
export const RESPONSE_BODY_WAIT: ResourceFacts = {
	...KERNEL,
	shown: 'always',
	hasRun: false,
	name: RESPONSE_BODY,
	modules: UNNAMED,
};
const SERVED: ResourceFacts = { ...KERNEL, shown: 'always', comesFromOutside: true, modules: UNNAMED };
/** A server's handle: each of its callbacks accepts a connection. */
export const LISTENER: ResourceFacts = { ...NEVER };
/** What a block of the loop delays at a server: no resource is of this type, and no line counts it. */
export const ACCEPTED: ResourceFacts = { ...SERVED, name: 'net.Server connection' };
const TIMER: ResourceFacts = {
	...NEVER,
	class: 'timer',
	shown: 'called',
	callsBackOnce: true,
	modules: /^node:timers/,
};

/** A row per type; crypto jobs are known by the form of their names. */
export const RESOURCE_FACTS: Record<ResourceType, ResourceFacts> = {
	// The thread pool.
	FSREQCALLBACK: FS,
	FSREQPROMISE: FS,
	FILEHANDLECLOSEREQ: { ...FS, name: 'FileHandle.close' },
	GETADDRINFOREQWRAP: { ...LOOKUP, name: 'dns.lookup' },
	GETNAMEINFOREQWRAP: { ...LOOKUP, name: 'dns.lookupService' },
	/** The stream; each write to it is one job. */
	ZLIB: NEVER,
	ZLIBWRITE: { ...JOB, family: 'zlib', name: 'zlib', modules: /^node:zlib$/ },
	// Sockets and names.
	TCPWRAP: NEVER,
	PIPEWRAP: NEVER,
	UDPWRAP: NEVER,
	TCPSERVERWRAP: LISTENER,
	PIPESERVERWRAP: LISTENER,
	/** To TLS, a terminal or a pipe of Windows: complete at once or not, it waits. */
	WRITEWRAP: { ...NEVER, callsBackOnce: true },
	READERWAIT: { ...KERNEL, shown: 'always', name: READER, modules: UNNAMED },
	SHUTDOWNWRAP: NEVER,
	DNSCHANNEL: NEVER,
	QUERYWRAP: { ...KERNEL, shown: 'always', name: 'dns.resolve', modules: DNS },
	TCPCONNECTWRAP: { ...KERNEL, name: 'net.connect', modules: /^node:(net|internal\/http2\/core)$/ },
	PIPECONNECTWRAP: { ...KERNEL, name: 'net.connect', modules: /^node:net$/ },
	/** A client's TLS, together with the connection below it, whose callback contains the start of the handshake. */
	TLSWRAP: {
		...KERNEL,
		name: 'tls.connect',
		callsBackOnce: false,
		endsOnTop: true,
		modules: TLS,
	},
	UDPSENDWRAP: { ...KERNEL, shown: 'always', name: 'dgram.Socket.send', modules: /^node:dgram$/ },
	UDPMESSAGE: { ...KERNEL, shown: 'always', name: 'dgram.Socket message', modules: UNNAMED },
	EXCHANGE: { ...EXCHANGE, answersInTurn: true },
	TURNEXCHANGE: EXCHANGE,
	POOLWAIT: { ...CONNECTION, name: POOL_CONNECTION },
	CONNECTIONWAIT: { ...CONNECTION, name: CONNECTION_QUEUE },
	// HTTP.
	HTTPINCOMINGMESSAGE: NEVER,
	/** The parser of a client's responses. */
	HTTPCLIENTREQUEST: NEVER,
	/** Of Node's HTTP agents: a request for which they have no socket free. */
	QueuedRequest: { ...CONNECTION, name: AGENT_SOCKET },
	HTTPREQUEST: { ...KERNEL, shown: 'always', name: 'http.request', modules: /^node:https?$/ },
	HTTPSERVERREQUEST: { ...SERVED, name: 'http.Server request' },
	HTTP2SESSION: { ...NEVER },
	HTTP2STREAM: { ...KERNEL, name: 'http2 request', callsBackOnce: false, modules: /^node:internal\/http2\/core$/ },
	HTTP2SERVERREQUEST: { ...SERVED, name: 'http2.Server request', callsBackOnce: false },
	/**
	 * Node's own undici, or a copy of it in node_modules, for which no function of Node was called except where fetch
	 * takes Node's dispatcher.
	 */
	FETCH: { ...KERNEL, shown: 'always', name: 'undici request', modules: /undici|bootstrap|pre_execution/ },
	// Timers and turns of the loop.
	Timeout: { ...TIMER, name: 'setTimeout' },
	Immediate: { ...TIMER, class: 'loop', name: 'setImmediate' },
	TickObject: NEVER,
	Microtask: NEVER,
	PROMISE: NEVER,
	// Files that are open or watched.
	FILEHANDLE: NEVER,
	DIRHANDLE: NEVER,
	STATWATCHER: NEVER,
	STATEVENT: {
		...NEVER,
		class: 'timer',
		shown: 'always',
		name: 'fs.watchFile',
		callsBackOnce: true,
		modules: UNNAMED,
	},
	FSEVENTWRAP: NEVER,
	FSEVENT: {
		...KERNEL,
		shown: 'always',
		name: 'fs.watch',
		modules: /^node:(fs|internal\/fs\/(promises|watchers))$/,
	},
	// Processes and threads.
	PROCESSWRAP: {
		...NEVER,
		class: 'process',
		shown: 'always',
		name: 'child_process.spawn',
		modules: /^node:(child_process|internal\/cluster\/primary)$/,
	},
	WORKER: { ...NEVER, class: 'worker', shown: 'always', name: 'new Worker', modules: UNNAMED },
	MESSAGEPORT: NEVER,
	PORTMESSAGE: {
		...NEVER,
		class: 'worker',
		shown: 'always',
		name: 'MessagePort message',
		callsBackOnce: true,
		modules: /^node:internal\/worker/,
	},
	/** Its end is in the other thread, where the callback runs. */
	WORKERPOST: {
		...NEVER,
		class: 'worker',
		shown: 'always',
		name: WORKER,
		hasRun: false,
		callsBackOnce: true,
		modules: UNNAMED,
	},
	MAIN: NEVER,
	NONE: NEVER,
	ELDHISTOGRAM: NEVER,
	INSPECTORJSBINDING: NEVER,
};

/** Types of Node's without a row that call back but are not operations of the program. */
const INTERNAL =
	/^(TTYWRAP|SIGNALWRAP|SIGINTWATCHDOG|(UDP|TTY|TLS)SERVERWRAP|HTTP2.*|PendingRequest|UNDICI_.+|JSSTREAM|STREAMPIPE|STREAM_END_OF_STREAM|BLOBREADER|LOCKS|QUIC.*|DTLS.*|WORKER.+)$/;

/** Facts of any resource type: one that no rule knows is the program's own AsyncResource or an add-on's work. */
export function resourceFacts(type: string): ResourceFacts {
	if (hasRow(type)) return RESOURCE_FACTS[type];
	if (CRYPTO_NAME.test(type)) return CRYPTO;
	if (INTERNAL.test(type)) return NEVER;
	if (type.startsWith(ADDON_PREFIX)) {
		// napi-rs 2 names all of its work `undefined`; the names of napi-rs 3 end in a NUL.
		const name = type.slice(ADDON_PREFIX.length).replace(/^undefined$|\0+$/, '');
		// With it napi-rs frees memory, as long as the add-on is loaded: nothing waits for it.
		return name === 'CustomGC' ? NEVER : addonFacts(name || NAMELESS_ADDON, 'job');
	}
	const name = type === NODES_NAME_FOR_BOUND ? 'bound function' : type;
	return { ...NEVER, shown: 'always', name, mayBeBound: FUNCTION_NAME.test(type), modules: UNNAMED };
}

/** `AsyncResource.bind`, and libraries that do the same, name the resource after the function; names of work have a package's or a class's in front. */
const FUNCTION_NAME = /^(?:bound-anonymous-fn|(?:bound )*[a-z_$][\w$]*)$/;

/** What `AsyncResource.bind` and its like call the resource of a function that has no name of its own. */
const NODES_NAME_FOR_BOUND = 'bound-anonymous-fn';

/** The name of an add-on's work that has none of its own. */
export const NAMELESS_ADDON = 'add-on';

/**
 * What an add-on starts: a job of the pool, something else that it does, or a thread-safe function. That is no operation: nobody waits for it,
 * though its callbacks may start some.
 */
export type AddonKind = 'job' | 'other' | 'thread-safe function';

/** Facts of what an add-on starts under that name, and what it is taken for. */
export function addonFacts(name: string, kind: AddonKind): ResourceFacts {
	const shown = kind === 'thread-safe function' ? 'never' : 'always';
	return { ...(kind === 'job' ? JOB : NEVER), shown, name, isAddon: true, modules: UNNAMED };
}

function hasRow(type: string): type is ResourceType {
	return Object.hasOwn(RESOURCE_FACTS, type);
}
