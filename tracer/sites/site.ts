// Who started an operation: the parts of a site, and the one object that represents all equal sites.

/** A place in a script outside Node itself. */
export interface Position {
	readonly id: number;
	readonly script: string;
	readonly line: number;
	readonly column: number;
	readonly functionName: string;
	/** Where the function around it starts. */
	readonly functionLine: number;
	readonly functionColumn: number;
	/** The writer's generation that this position was last written in. */
	written: number;
}

/** The function of Node that the program called. */
export interface Api {
	readonly name: string;
	readonly script: string;
}

/** Who started an operation. */
export interface Site {
	readonly id: number;
	/** In the user's own files; null when only library or Node code was on the stack. */
	readonly user: Position | null;
	/** In node_modules, when the library called Node and the user's line did not do so itself. */
	readonly library: Position | null;
	readonly api: Api | null;
	/** Started by a `…Sync` function: over before it returns, so it is not an operation at all. */
	readonly isSync: boolean;
	/** The user's frame was only awaiting: nothing but Node runs, so this may be a later step of the awaited operation. */
	readonly isAwaited: boolean;
	/**
	 * Started by a library for one of those who wait for its connection. The stack does not show for whom: its user
	 * line only gave the connection back.
	 */
	readonly isForOthers: boolean;
	/**
	 * The begin of the user's function that Node or a library called, and that led here; null where it was not sought.
	 */
	readonly handler: Position | null;
	/** The begin of the library's function that called it; null where that is no router's. */
	readonly caller: Position | null;
	/** Where the handler itself was on the way to the start; null where no handler was sought. */
	readonly called: Called | null;
	/** Whether the program called `setTimeout` or one like it; any other timer or immediate is Node's own. */
	readonly isTimerCall: boolean;
	/** Whether it called `write` of a request or a response of HTTP. */
	readonly isMessageWrite: boolean;
	/** Whether it called `end` of one. */
	readonly isMessageEnd: boolean;
	written: number;
}

/** What a request's handler itself did: it called one of the user's functions, or started something itself. */
export interface Called {
	readonly id: number;
	/** Where it did. */
	readonly at: Position;
	/** Where the called function begins; null where the handler started something itself. */
	readonly begin: Position | null;
	/** The number of the route that was asked for; 0 where that is not known, and for any route behind the first ones. */
	readonly route: number;
}

/** Where Node's requests and responses write. */
export const OUTGOING_MESSAGE = 'node:_http_outgoing';

const sites = new Map<string, Site>();
let positions = 0;

/** An id for a new position. */
export function newPositionId(): number {
	return ++positions;
}

/** No frame of the program or of a library: the running operation continues. */
export const CONTINUED: Site = {
	id: 0,
	user: null,
	library: null,
	api: null,
	isSync: false,
	isAwaited: false,
	isForOthers: false,
	handler: null,
	caller: null,
	called: null,
	isTimerCall: false,
	isMessageWrite: false,
	isMessageEnd: false,
	written: 0,
};

/** The one site with these parts. */
export function internSite(
	user: Position | null,
	library: Position | null,
	api: Api | null,
	isSync: boolean,
	isAwaited: boolean,
	isForOthers = false,
	handler: Position | null = null,
	caller: Position | null = null,
	called: Called | null = null,
): Site {
	const key = `${user?.id ?? 0} ${library?.id ?? 0} ${api?.name ?? ''} ${api?.script ?? ''} ${isSync} ${isAwaited} ${isForOthers} ${handler?.id ?? 0} ${caller?.id ?? 0} ${called?.id ?? 0}`;
	let site = sites.get(key);
	if (site === undefined) {
		const isOfMessage = api?.script === OUTGOING_MESSAGE;
		const isTimerCall = api?.script.startsWith('node:timers') ?? false;
		site = {
			id: sites.size + 1,
			user,
			library,
			api,
			isSync,
			isAwaited,
			isForOthers,
			handler,
			caller,
			called,
			isTimerCall,
			isMessageWrite: isOfMessage && api.name === 'write',
			isMessageEnd: isOfMessage && api.name === 'end',
			written: 0,
		};
		sites.set(key, site);
	}
	return site;
}

/** The one object for such a call. */
export function internCall(at: Position, begin: Position | null, route: number): Called {
	const key = `${at.id} ${begin?.id ?? 0} ${route}`;
	let called = calls.get(key);
	if (called === undefined) {
		called = { id: calls.size + 1, at, begin, route };
		calls.set(key, called);
	}
	return called;
}
const calls = new Map<string, Called>();

/** The start of the function around a position, as a position of its own. */
export function functionStart(position: Position): Position {
	let known = functionStarts.get(position);
	if (known === undefined) {
		const { script, functionLine: line, functionColumn: column } = position;
		const key = `${line} ${column} ${script}`;
		known = starts.get(key);
		if (known === undefined) {
			known = { ...position, id: newPositionId(), line, column, written: 0 };
			starts.set(key, known);
		}
		functionStarts.set(position, known);
	}
	return known;
}
const functionStarts = new Map<Position, Position>();
const starts = new Map<string, Position>();
