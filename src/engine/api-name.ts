// What an operation is called and what it waits for: async_hooks' resource types and the function of Node that was called
// become the name of a public API and a class.
import { CONNECTION_QUEUE, POOL_CONNECTION } from '../protocol/connection-wait.ts';
import { ADDON_PREFIX } from '../protocol/journal.ts';
import type { OperationClass } from '../protocol/report.ts';

/** What the engine knows of a resource type. */
export interface TypeFacts {
	class: OperationClass;
	/** Operations of one family may be steps of one logical operation; '' never. */
	family: '' | 'fs' | 'dns' | 'crypto' | 'zlib';
	/** Whether its lines are shown; `called` only when the program called this very API, not when another API used it. */
	shown: 'always' | 'called' | 'never';
	/** Name when the call says nothing better. */
	name: string;
	/** One pool job per operation; `slow` is libuv's word for getaddrinfo and getnameinfo. */
	pool: 'fast' | 'slow' | null;
	/** An add-on's work: it may be a job of the pool as well as a thread's of its own, so nobody knows what it does to other jobs. */
	mayUsePool: boolean;
	/** Whether code of its own runs when it is over. */
	hasRun: boolean;
	/** Whether its callback comes once, so that it can be forgotten then. */
	callsBackOnce: boolean;
	/** Whether a callback inside another is not its end. */
	endsOnTop: boolean;
	/** Several may be under way on one connection: a callback answers the first of them, and of the others nobody knows. */
	answersInTurn: boolean;
	/** The program did not start it, it serves it: which of the functions that it calls holds the loop is for the callback to tell. */
	comesFromOutside: boolean;
	/** Modules of Node whose functions name it, as a pattern on the script; null takes any. */
	modules: RegExp | null;
}

const FS: TypeFacts = {
	class: 'threadpool',
	family: 'fs',
	shown: 'always',
	name: 'fs',
	pool: 'fast',
	mayUsePool: false,
	hasRun: true,
	callsBackOnce: true,
	endsOnTop: false,
	answersInTurn: false,
	comesFromOutside: false,
	modules: /^node:(fs|internal\/fs)/,
};
/** The same where libuv gives the call to io_uring instead of the pool. */
const FS_RING: TypeFacts = { ...FS, class: 'io_uring', pool: null };
/** The calls that do so (libuv 1.45 to 1.48, src/unix/linux.c): the rest of fs always takes the pool. */
const RING_CALLS =
	/^((read|write|append)File|open|close|readv?|writev?|create(Read|Write)Stream|[lf]?stat|f?(data)?sync|rename|unlink|mkdir|link|symlink)$/;

const CRYPTO: TypeFacts = {
	class: 'threadpool',
	family: 'crypto',
	shown: 'always',
	name: 'crypto',
	pool: 'fast',
	mayUsePool: false,
	hasRun: true,
	callsBackOnce: true,
	endsOnTop: false,
	answersInTurn: false,
	comesFromOutside: false,
	modules: /^node:(crypto|internal\/crypto)/,
};
const NEVER: TypeFacts = {
	class: 'other',
	family: '',
	shown: 'never',
	name: '',
	pool: null,
	mayUsePool: false,
	hasRun: true,
	callsBackOnce: false,
	endsOnTop: false,
	answersInTurn: false,
	comesFromOutside: false,
	modules: null,
};
const KERNEL: TypeFacts = { ...NEVER, class: 'kernel', shown: 'called', callsBackOnce: true };

const TLS = /^node:(tls|_tls_wrap|internal\/tls\/wrap)$/;

const TYPES: Record<string, TypeFacts> = {
	FSREQCALLBACK: FS,
	FSREQPROMISE: FS,
	FILEHANDLECLOSEREQ: { ...FS, name: 'FileHandle.close' },
	STATEVENT: { ...NEVER, class: 'timer', shown: 'always', name: 'fs.watchFile', callsBackOnce: true, modules: /^$/ },
	FSEVENT: {
		...KERNEL,
		shown: 'always',
		name: 'fs.watch',
		modules: /^node:(fs|internal\/fs\/(promises|watchers))$/,
	},
	GETADDRINFOREQWRAP: {
		class: 'threadpool',
		family: 'dns',
		shown: 'always',
		name: 'dns.lookup',
		pool: 'slow',
		mayUsePool: false,
		hasRun: true,
		callsBackOnce: true,
		endsOnTop: false,
		answersInTurn: false,
		comesFromOutside: false,
		modules: /^node:(dns|internal\/dns)/,
	},
	GETNAMEINFOREQWRAP: {
		class: 'threadpool',
		family: 'dns',
		shown: 'always',
		name: 'dns.lookupService',
		pool: 'slow',
		mayUsePool: false,
		hasRun: true,
		callsBackOnce: true,
		endsOnTop: false,
		answersInTurn: false,
		comesFromOutside: false,
		modules: /^node:(dns|internal\/dns)/,
	},
	// The stream itself is ZLIB.
	ZLIBWRITE: { ...FS, family: 'zlib', name: 'zlib', modules: /^node:zlib$/ },
	QUERYWRAP: { ...KERNEL, shown: 'always', name: 'dns.resolve', modules: /^node:(dns|internal\/dns)/ },
	TCPCONNECTWRAP: { ...KERNEL, name: 'net.connect', modules: /^node:(net|internal\/http2\/core)$/ },
	// Of a client, with the connection below it, whose callback holds the start of the handshake.
	TLSWRAP: { ...KERNEL, name: 'tls.connect', callsBackOnce: false, endsOnTop: true, modules: TLS },
	PIPECONNECTWRAP: { ...KERNEL, name: 'net.connect', modules: /^node:net$/ },
	UDPSENDWRAP: { ...KERNEL, shown: 'always', name: 'dgram.Socket.send', modules: /^node:dgram$/ },
	// On a client's socket, from the write to the peer's next bytes.
	EXCHANGE: { ...KERNEL, shown: 'always', name: 'net.Socket.write', answersInTurn: true, modules: /^$/ },
	// The same where its library tells which answer is whose.
	TURNEXCHANGE: { ...KERNEL, shown: 'always', name: 'net.Socket.write', modules: /^$/ },
	// What a library keeps in a queue until a connection is free: first a pool's for one of its own, then the connection's for its turn.
	POOLWAIT: { ...NEVER, shown: 'always', name: POOL_CONNECTION, hasRun: false, callsBackOnce: true, modules: /^$/ },
	CONNECTIONWAIT: {
		...NEVER,
		shown: 'always',
		name: CONNECTION_QUEUE,
		hasRun: false,
		callsBackOnce: true,
		modules: /^$/,
	},
	UDPMESSAGE: { ...KERNEL, shown: 'always', name: 'dgram.Socket message', modules: /^$/ },
	HTTP2STREAM: { ...KERNEL, name: 'http2 request', callsBackOnce: false, modules: /^node:internal\/http2\/core$/ },
	HTTP2SERVERREQUEST: {
		...KERNEL,
		shown: 'always',
		name: 'http2.Server request',
		comesFromOutside: true,
		modules: /^$/,
	},
	// Node's own, or a copy of undici in node_modules, which no function of Node was called for but where fetch takes Node's dispatcher.
	FETCH: { ...KERNEL, shown: 'always', name: 'undici request', modules: /undici|bootstrap|pre_execution/ },
	HTTPREQUEST: { ...KERNEL, shown: 'always', name: 'http.request', modules: /^node:https?$/ },
	HTTPSERVERREQUEST: {
		...KERNEL,
		shown: 'always',
		name: 'http.Server request',
		comesFromOutside: true,
		modules: /^$/,
	},
	Timeout: {
		...NEVER,
		callsBackOnce: true,
		class: 'timer',
		shown: 'called',
		name: 'setTimeout',
		modules: /^node:timers/,
	},
	Immediate: {
		...NEVER,
		callsBackOnce: true,
		class: 'loop',
		shown: 'called',
		name: 'setImmediate',
		modules: /^node:timers/,
	},
	PROCESSWRAP: {
		...NEVER,
		class: 'process',
		shown: 'always',
		name: 'child_process.spawn',
		modules: /^node:child_process$/,
	},
	PORTMESSAGE: {
		...NEVER,
		class: 'worker',
		shown: 'always',
		name: 'MessagePort message',
		callsBackOnce: true,
		modules: /^node:internal\/worker/,
	},
	WORKER: { ...NEVER, class: 'worker', shown: 'always', name: 'new Worker', modules: /^$/ },
};

/** Types of Node that call back but are nobody's operation: handles, composites and the thread's own entries. */
const INTERNAL =
	/^(MAIN|ZLIB|TickObject|Microtask|(TCP|PIPE|UDP|TTY|TLS)(SERVER)?WRAP|STATWATCHER|WRITEWRAP|SHUTDOWNWRAP|FSEVENTWRAP|SIGNALWRAP|SIGINTWATCHDOG|HTTP2.*|PendingRequest|UNDICI_.+|HTTPINCOMINGMESSAGE|HTTPCLIENTREQUEST|JSSTREAM|STREAMPIPE|STREAM_END_OF_STREAM|MESSAGEPORT|BLOBREADER|LOCKS|QUIC.*|DTLS.*|WORKER.+)$/;

/** Facts of a resource type; unknown ones are the program's own AsyncResources and add-ons' work. */
export function typeFacts(type: string): TypeFacts {
	const known = TYPES[type];
	if (known !== undefined && Object.hasOwn(TYPES, type)) return known;
	if (/^[A-Z0-9]+REQUEST$/.test(type) && !/^HTTP/.test(type)) return CRYPTO;
	if (INTERNAL.test(type)) return NEVER;
	if (type.startsWith(ADDON_PREFIX)) {
		// napi-rs calls all of its work `undefined`.
		const name = type.slice(ADDON_PREFIX.length).replace(/^undefined$/, '') || 'add-on';
		return { ...NEVER, shown: 'always', name, mayUsePool: true, modules: /^$/ };
	}
	return { ...NEVER, shown: 'always', name: type, modules: /^$/ };
}

/** Facts of the same type in a process whose fs goes through io_uring. */
export function ringFacts(facts: TypeFacts, name: string): TypeFacts {
	return facts.family === 'fs' && RING_CALLS.test(name.slice(name.lastIndexOf('.') + 1)) ? FS_RING : facts;
}

/** How scripts of Node are called in public. */
const MODULES: [RegExp, string][] = [
	[/^node:(internal\/)?fs\/(promises|watchers)$/, 'fs.promises'],
	[/^node:(fs$|internal\/fs\/)/, 'fs'],
	[/^node:(crypto$|internal\/crypto\/)/, 'crypto'],
	[/^node:(internal\/)?dns\/promises$/, 'dns.promises'],
	[/^node:(dns$|internal\/dns\/)/, 'dns'],
	[/^node:timers\/promises$/, 'timers.promises'],
	[/^node:https$/, 'https'],
	[/^node:(http|_http_client)$/, 'http'],
	[/^node:internal\/http2\/core$/, 'http2'],
	[TLS, 'tls'],
	[/^node:(zlib|net|dgram|child_process)$/, ''],
];

/** c-ares' names for what Node calls otherwise. */
const QUERIES = new Map([
	['queryA', 'resolve4'],
	['queryAaaa', 'resolve6'],
	['getHostByAddr', 'reverse'],
]);

/** The public API name, such as `fs.readFile`, and whether the program called an API of that type's own modules. */
export function apiName(facts: TypeFacts, name: string, script: string): { name: string; isCalled: boolean } {
	if (name === '' || (facts.modules !== null && !facts.modules.test(script))) {
		return { name: facts.name, isCalled: facts.modules === null };
	}
	if (script === 'node:timers') return { name, isCalled: true };
	if (facts === TYPES.FETCH) return { name: name === 'dispatch' ? facts.name : name, isCalled: true };
	if (facts === TYPES.PORTMESSAGE) return { name: `${name} message`, isCalled: true };
	for (const [pattern, module] of MODULES) {
		if (!pattern.test(script)) continue;
		// Methods of a class that has a name of its own need no module's.
		if (module !== '' && name.includes('.')) return { name, isCalled: true };
		const called =
			facts === TYPES.QUERYWRAP ? (QUERIES.get(name) ?? name.replace(/^query/, 'resolve')) : name.replace(/^_/, '');
		return { name: `${module || script.slice('node:'.length)}.${called}`, isCalled: true };
	}
	return { name: facts.name, isCalled: true };
}
