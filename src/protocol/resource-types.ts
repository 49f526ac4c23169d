// The types of async resources that Waitline knows: Node's own (async_hooks gives each resource the name of one) and those that the tracer
// makes up where Node has none. This table says what the tracer does with each; `resource-facts.ts` says what each is to a person. Both are
// keyed by `ResourceType`, so a name that is misspelt does not compile.

// The traits of a type, one bit each. Each is a constant of its own, because esbuild then inlines its value, so that
// the table costs the tracer little more than the names.

/**
 * A request: its callback comes once, so that the tracer may forget it then. Other types call back any number of times.
 */
export const ONCE = 1;
/** Its completion is a job of libuv's pool, so that the pool exists from its start on. */
export const POOLED = 2;
/** A crypto job: its `…Sync` form fires an `init` too, and never calls back. */
export const CRYPTO = 4;
/** Neither recorded nor a carrier: it never calls back into the program. */
export const IGNORED = 8;
/**
 * One in several may be recorded to represent all of them: no other operation belongs to it, and the replay of the pool
 * does not need it.
 */
export const SAMPLED = 16;
/** A handle whose writes no hook shows. */
export const STREAM = 32;
/** Something sent over a client's socket, or something that waits for one. */
export const EXCHANGE = 64;
/** Its callbacks bring what nobody in the program has requested. */
export const SERVER = 128;
/** Not recorded; it only passes its origin on to what it starts, because ticks and microtasks are part of the drain. */
export const CARRIER = 256;
/** It starts a process or a thread. */
export const CHILD = 512;
/** It opens a connection. */
export const CONNECT = 1024;
/** Messages come through it. */
export const PORT = 2048;

const JOB = POOLED | ONCE;

/** The form of names of crypto jobs, one per algorithm; each Node has more of them. */
export const CRYPTO_NAME = /^(?!HTTP)[A-Z0-9]+REQUEST$/;
/** The traits of all crypto jobs. */
export const CRYPTO_JOB = CRYPTO | JOB;

/** A row per type that has traits, except crypto jobs. */
export const TRAITS = {
	// The thread pool.
	FSREQCALLBACK: JOB,
	FSREQPROMISE: JOB,
	FILEHANDLECLOSEREQ: JOB,
	GETADDRINFOREQWRAP: JOB,
	GETNAMEINFOREQWRAP: JOB,
	ZLIB: STREAM,
	// Sockets and names.
	TCPWRAP: STREAM,
	PIPEWRAP: STREAM,
	TLSWRAP: STREAM,
	TCPSERVERWRAP: SERVER,
	PIPESERVERWRAP: SERVER,
	HTTPINCOMINGMESSAGE: SERVER,
	TCPCONNECTWRAP: CONNECT | ONCE,
	PIPECONNECTWRAP: CONNECT | ONCE,
	WRITEWRAP: SAMPLED | ONCE,
	SHUTDOWNWRAP: SAMPLED | ONCE,
	UDPSENDWRAP: SAMPLED | ONCE,
	QUERYWRAP: SAMPLED | ONCE,
	DNSCHANNEL: IGNORED,
	// Ours, in place of a WRITEWRAP: the system's buffer for a socket or pipe is full, so what reads at its other end is
	// what this waits for, unless TLS writes it.
	READERWAIT: SAMPLED | ONCE,
	// Ours. On a client's socket, from the write to the peer's next bytes; the same where the client's library shows
	// which answer is whose.
	EXCHANGE,
	TURNEXCHANGE: EXCHANGE,
	// Ours. Items in a library's queue: until its pool has a connection to give; until their turn on a connection, or
	// until it is open.
	POOLWAIT: EXCHANGE,
	CONNECTIONWAIT: EXCHANGE,
	// Timers and turns of the loop. Promises come where their hooks could not be kept away.
	Timeout: SAMPLED | ONCE,
	Immediate: SAMPLED | ONCE,
	TickObject: CARRIER | ONCE,
	Microtask: CARRIER | ONCE,
	PROMISE: IGNORED,
	// Files that are open or watched; the last one's handle uses the pool again and again.
	FILEHANDLE: IGNORED,
	DIRHANDLE: IGNORED,
	STATWATCHER: POOLED,
	// Processes and threads.
	PROCESSWRAP: CHILD | ONCE,
	WORKER: CHILD,
	MESSAGEPORT: PORT,
	ELDHISTOGRAM: IGNORED,
	INSPECTORJSBINDING: IGNORED,
	NONE: IGNORED,
} as const;

/** Types without traits: recorded like any that Waitline does not know, and calling back any number of times. */
type PlainType =
	// Node's.
	| 'FSEVENTWRAP'
	| 'HTTPCLIENTREQUEST'
	| 'HTTP2SESSION'
	| 'HTTP2STREAM'
	| 'QueuedRequest'
	| 'UDPWRAP'
	// Ours: a client's requests and what a server answers, which Node's channels announce.
	| 'FETCH'
	| 'HTTPREQUEST'
	| 'HTTPSERVERREQUEST'
	| 'HTTP2SERVERREQUEST'
	// Ours: one write to a zlib stream, which is one job of the pool.
	| 'ZLIBWRITE'
	// Ours: what a handle that only listens has received.
	| 'FSEVENT'
	| 'PORTMESSAGE'
	| 'STATEVENT'
	| 'UDPMESSAGE'
	// Ours: a message to a Worker or back, until the other thread's callback for it.
	| 'WORKERPOST'
	// Ours: the main script's run.
	| 'MAIN';

/** The keys of the tables. */
export type ResourceType = keyof typeof TRAITS | PlainType;

/** A type without a row: one of Node's that Waitline need not know, an AsyncResource of the program's, or an add-on's work. */
export type ForeignType = string & { readonly isForeign: unique symbol };

/** Any type that Node's hooks may be given. A literal of this type is one of the table's. */
export type AnyType = ResourceType | ForeignType;

/** Handles that only listen, and what each of their callbacks is. */
export const EVENT_OF = {
	FSEVENTWRAP: 'FSEVENT',
	MESSAGEPORT: 'PORTMESSAGE',
	STATWATCHER: 'STATEVENT',
	UDPWRAP: 'UDPMESSAGE',
} as const satisfies Partial<Record<ResourceType, ResourceType>>;
