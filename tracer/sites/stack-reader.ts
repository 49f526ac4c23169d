// Who started an operation: reads the call stack as cheaply as V8 allows. A frame's line is computed once per code position (scripts.ts); a capture
// itself only walks and compares.
import type { Kind } from '../process/kinds.ts';
import { type EntryFunction, type KeptStack, readKept, readStack } from '../process/stacks.ts';
import { positionOf, type Script, Scripts } from './scripts.ts';
import {
	type Api,
	type Called,
	CONTINUED,
	functionStart,
	internCall,
	internSite,
	type Position,
	type Site,
} from './site.ts';

/** Most user frames are among the first; each frame costs about 1 µs in optimised code. */
const SHALLOW_DEPTH = 16;
/** `fetch` has its user frame at depth 28 to 35. */
const USUAL_DEPTH = 64;
/** The handler may be below functions of a library that call one another, and those of many middlewares below it. */
const STACK_DEPTH = 256;

/**
 * Functions that give a connection back to its pool request nothing themselves, though the pool then sends what others
 * had queued: pg-pool's `_release`, and mysql2's `releaseConnection`, which does so in a tick.
 */
const RELEASES = /^_?release/;

/** Modules of Node with public classes, whose methods are named with their class. */
const HAS_CLASSES = /^node:(net|dgram|internal\/(fs\/(promises|dir)|http2\/core))$/;
const CLASSES = new Set(['ClientHttp2Session', 'Dir', 'FileHandle', 'Socket']);

/**
 * What a capture looks for besides the site: `…Sync` functions and RELEASES by name, and the handler. Each costs time.
 */
interface Sought {
	readonly sync: boolean;
	readonly release: boolean;
	readonly handler: boolean;
}

const NOTHING: Sought = { sync: false, release: false, handler: false };

/** What a framework calls before and behind a handler, perhaps while that is on the stack. */
const HOOKS = /[\\/]hooks\.js$/;

/** Captures of a handler after which those around it are known. */
const AROUND_CAPTURES = 16;

/** Functions of the user's that call or await one another on a stack, and what has called the outermost of them: its frame and script. */
interface Group {
	readonly outermost: NodeJS.CallSite;
	/** The user's function that it called. */
	readonly inner: NodeJS.CallSite | null;
	readonly by: NodeJS.CallSite;
	readonly script: Script;
	/** Scripts of libraries that they had called, up to the group inside. */
	readonly within: Set<Script>;
}

/** The handlers that were on the stack of one: middlewares that had called `next`. */
interface Around {
	/** How many of its stacks were read to their end. */
	captures: number;
	readonly handlers: Set<Position>;
}

export class StackReader {
	/** How many frames the last capture would have needed. */
	framesNeeded = SHALLOW_DEPTH;
	private readonly scripts: Scripts;
	/** How many frames the capture under way may see, and what it looks for. */
	private frameLimit = SHALLOW_DEPTH;
	private sought = NOTHING;
	/** Of the latest capture, as a Site has them. */
	private handler: Position | null = null;
	private caller: Position | null = null;
	private called: Called | null = null;
	/** The number of the route whose handler is sought; 0 for none. */
	private route = 0;
	private readonly around = new Map<Position, Around>();
	/** Where handlers begin that a router has called. */
	readonly routed: Pick<Set<Position>, 'add' | 'has'> = new Set();
	/** Counts the captures, so that one notices another that interrupted it. */
	private captures = 0;
	/** V8 calls it without `this`. */
	private readonly readSite = (_holder: object, stack: NodeJS.CallSite[]) => this.siteIn(stack);

	/** See `resumed`. */
	private readonly readResumed = (_holder: object, stack: NodeJS.CallSite[]) => this.resumedIn(stack);

	/** @param onLibrary see Scripts */
	constructor(onLibrary: (name: string) => void) {
		this.scripts = new Scripts(onLibrary);
	}

	/**
	 * The site of the code that runs now; CONTINUED when the stack contains nothing but Node.
	 * @param kind of the operation that starts
	 * @param entry the tracer's outermost function on the stack, if it is known: V8 then skips the cost of the frames
	 * above it
	 * @param frames how many frames will probably suffice: more are read where they do not
	 * @param handler whether to find the handler too
	 * @param route see Called
	 */
	capture(
		{ isCrypto, isExchange, role }: Kind,
		entry: EntryFunction = this.capture,
		frames = SHALLOW_DEPTH,
		handler = false,
		route = 0,
	): Site {
		const sought = { sync: isCrypto, release: isExchange || role === 'carrier', handler };
		for (;;) {
			const turn = ++this.captures;
			this.sought = sought;
			this.route = route;
			const site = this.read(frames, entry) ?? (frames < SHALLOW_DEPTH ? this.read(SHALLOW_DEPTH, entry) : null);
			const found = site ?? this.read(USUAL_DEPTH, entry) ?? this.read(STACK_DEPTH, entry) ?? CONTINUED;
			// A debugger's code may have read a stack meanwhile and changed these fields.
			if (this.captures === turn) return found;
		}
	}

	/** Where a handler goes on that a router has called before: nothing calls it now but its promise. Null for any other code. */
	resumed(): Position | null {
		this.captures++;
		const at = readStack(this.readResumed, STACK_DEPTH, this.resumed);
		return typeof at === 'object' && at !== null && this.routed.has(functionStart(at)) ? at : null;
	}

	private resumedIn(stack: NodeJS.CallSite[]): Position | null {
		let outermost: NodeJS.CallSite | null = null;
		for (let at = 0; at < stack.length; at++) {
			const { role } = this.scripts.of(stack[at]!);
			if (role === 'user') outermost = stack[at]!;
			else if (outermost !== null && role !== 'skip' && role !== 'plumbing') return null;
		}
		return outermost === null ? null : positionOf(outermost, this.scripts.of(outermost));
	}

	/** A capture that is under way is repeated when it ends. */
	captureAgain(): void {
		this.captures++;
	}

	/** The site of a kept stack of a start of that kind. */
	siteOfKept({ isCrypto }: Kind, kept: KeptStack): Site {
		this.captures++;
		this.frameLimit = STACK_DEPTH;
		this.sought = { ...NOTHING, sync: isCrypto };
		this.route = 0;
		const site = readKept(kept, this.readSite);
		return typeof site === 'object' && site !== null ? site : CONTINUED;
	}

	private read(depth: number, entry: EntryFunction): Site | null {
		this.frameLimit = depth;
		const site = readStack(this.readSite, depth, entry);
		// While V8 reads a stack it calls no format function for another one: a debugger's code runs in the middle of a
		// capture.
		return typeof site === 'object' ? site : CONTINUED;
	}

	/** The site, or null when there may be more of the stack. Asks V8 for names and positions only where they are needed. */
	private siteIn(stack: NodeJS.CallSite[]): Site | null {
		const { scripts, sought } = this;
		let library: Position | null = null;
		let isAwaited = false;
		let isForOthers = false;
		let called: NodeJS.CallSite | null = null;
		let inner: NodeJS.CallSite | null = null;
		let isPlumbing = true;
		let isSync = false;
		this.framesNeeded = 0;
		for (let at = 0; at < stack.length; at++) {
			const call = stack[at]!;
			this.framesNeeded++;
			const script: Script = scripts.of(call);
			switch (script.role) {
				case 'skip':
					break;
				case 'plumbing':
					// Of a tick, what the program called is the outermost: `pipe`, which makes Node schedule one.
					if (library === null && isPlumbing && (called === null || sought.release)) called = call;
					break;
				case 'node':
					if (library !== null) break;
					inner = called;
					called = call;
					isPlumbing = false;
					isSync ||= sought.sync && nameOf(call).endsWith('Sync');
					break;
				case 'library':
					if (library === null) {
						library = positionOf(call, script);
						isAwaited = isAsync(call);
					} else if (script.onlyRoutes) {
						// It calls a library's handler: a middleware of the user's below only passed the request on.
						return internSite(null, library, apiOf(called, inner), isSync, isAwaited, isForOthers);
					}
					isForOthers ||= sought.release && RELEASES.test(nameOf(call));
					break;
				case 'user': {
					const user = isForOthers ? null : positionOf(call, script);
					isAwaited ||= library === null && isAsync(call);
					this.handler = this.caller = this.called = null;
					if ((sought.handler || scripts.hasRouter) && !this.findHandler(stack, at)) return null;
					const { caller, handler, called: own } = this;
					const api = apiOf(called, inner);
					return internSite(user, library, api, isSync, isAwaited, isForOthers, handler, caller, own);
				}
				default:
					script.role satisfies never;
			}
		}
		// One more, so that the next capture sees that the stack ends here.
		this.framesNeeded++;
		if (stack.length === this.frameLimit && this.frameLimit !== STACK_DEPTH) return null;
		return library === null && !isSync
			? CONTINUED
			: internSite(null, library, apiOf(called, inner), isSync, isAwaited, isForOthers);
	}

	/**
	 * Finds the handler, what it called itself, and the router's function that called it: the outermost of the user's functions that call or await one another down to the frame at
	 * `from`; where only a router's handler is sought, of the first of them that a router has called.
	 * A function that a library calls may be no handler, but what a handler gave to that library, as `create` of a pool. Then the library was called by the handler, and by nothing below
	 * it. A middleware that has called `next` looks alike, but it called the router that called it.
	 * @returns false when there may be more of the stack
	 */
	private findHandler(stack: NodeJS.CallSite[], from: number): boolean {
		const { frameLimit, scripts, sought } = this;
		let outermost: NodeJS.CallSite | null = stack[from]!;
		let inner: NodeJS.CallSite | null = null;
		let isCalled = false;
		/** The handler, as it seems; whether a known router has called it; and the user's functions below it. */
		let first: Group | null = null;
		let isSure = false;
		let outer: Group[] = [];
		let within = new Set<Script>();
		const passing: NodeJS.CallSite[] = [];
		for (let at = from + 1; at < stack.length; at++) {
			this.framesNeeded++;
			const call = stack[at]!;
			const script = scripts.of(call);
			const { role } = script;
			// Where an asynchronous function resumes, those that await it come after what has resumed it.
			if (role === 'plumbing') isCalled = true;
			else if (role === 'user') {
				if (!isCalled || isAsync(call)) {
					inner = outermost;
					outermost = call;
				}
			} else if (role !== 'skip' && !script.isHelper) {
				if (outermost !== null && (first !== null || script.isRouter || sought.handler)) {
					const group = { outermost, inner, by: call, script, within };
					if (first === null || (script.isRouter && HOOKS.test(first.script.name))) {
						first = group;
						isSure = script.isRouter || role === 'node';
						if (isSure && this.isSettled(group)) return this.take(group);
					} else if (isSure || within.has(script) || hasRouter(within)) {
						if (script.isRouter) passing.push(outermost);
					} else if (role !== 'node' || calledByNode.has(this.startAt(outermost))) outer.push(group);
					within = new Set();
				}
				if (outer.length > 0) outer = outer.filter((group) => !group.within.has(script));
				within.add(script);
				outermost = inner = null;
				isCalled = false;
			}
		}
		this.framesNeeded++;
		if (stack.length === frameLimit && frameLimit < STACK_DEPTH) return false;
		if (first !== null) {
			this.take(outer.at(-1) ?? first);
			const around = this.aroundOf(this.handler!);
			around.captures++;
			for (const call of passing) around.handlers.add(this.startAt(call));
		} else if (outermost !== null && sought.handler) {
			this.handler = this.startAt(outermost);
			this.called = this.callOf(inner, outermost);
		}
		return true;
	}

	/** Whether nothing more has to be known about that handler. */
	private isSettled({ outermost, script }: Group): boolean {
		return script.role === 'node' || this.aroundOf(this.startAt(outermost)).captures >= AROUND_CAPTURES;
	}

	/** That is the handler. */
	private take({ outermost, inner, by, script }: Group): true {
		this.handler = this.startAt(outermost);
		this.called = this.callOf(inner, outermost);
		if (script.role === 'node') calledByNode.add(this.handler);
		else {
			this.caller = this.startAt(by);
			this.routed.add(this.handler);
			// What calls the route behind a hook is seen only where stacks are read beyond their first function of the user's.
			this.scripts.hasRouter = true;
			if (!HOOKS.test(script.name)) script.isRouter = true;
		}
		return true;
	}

	/** Whether the router calls `inner` while it calls `outer`, which goes on behind it. */
	isAround(outer: Position, inner: Position): boolean {
		return this.around.get(inner)?.handlers.has(outer) === true;
	}

	private aroundOf(handler: Position): Around {
		let around = this.around.get(handler);
		if (around === undefined) {
			around = { captures: 0, handlers: new Set() };
			this.around.set(handler, around);
		}
		return around;
	}

	/** @param inner a function that the one of `outer` has called; null for none */
	private callOf(inner: NodeJS.CallSite | null, outer: NodeJS.CallSite): Called {
		const begin = inner === null ? null : this.startAt(inner);
		return internCall(positionOf(outer, this.scripts.of(outer)), begin, this.route);
	}

	private startAt(call: NodeJS.CallSite): Position {
		return functionStart(positionOf(call, this.scripts.of(call)));
	}
}

function hasRouter(scripts: Set<Script>): boolean {
	for (const { isRouter } of scripts) if (isRouter) return true;
	return false;
}

const calledByNode = new Set<Position>();

/** Whether Node itself has called that handler: nothing chooses one for each request. */
export function isCalledByNode(handler: Position | null): boolean {
	return handler !== null && calledByNode.has(handler);
}

function isAsync(call: NodeJS.CallSite): boolean {
	return (call as unknown as { isAsync(): boolean }).isAsync();
}

const apis = new Map<string, Api>();

/** @param inner the function that this one called */
function apiOf(call: NodeJS.CallSite | null, inner: NodeJS.CallSite | null): Api | null {
	if (call === null) return null;
	let name = nameOf(call);
	const script = call.getScriptNameOrSourceURL() ?? '';
	if (script === 'node:zlib' && inner !== null) {
		// zlib.gzip and its like are all one function, which makes a `Gzip`; so are zlib.createGzip and its like, up to
		// Node 22.
		if (name === 'asyncBufferWrapper') name = lowerFirst(nameOf(inner));
		else if (name === 'value') name = `create${nameOf(inner)}`;
	} else if (HAS_CLASSES.test(script)) {
		const type = call.getTypeName();
		if (type !== null && CLASSES.has(type)) name = `${type}.${name}`;
	}
	const key = `${name} ${script}`;
	let api = apis.get(key);
	if (api === undefined) {
		api = { name, script };
		apis.set(key, api);
	}
	return api;
}

/** A function's own name, without its class. */
function nameOf(call: NodeJS.CallSite): string {
	const name = call.getFunctionName() ?? '';
	return name.slice(name.lastIndexOf('.') + 1);
}

function lowerFirst(name: string): string {
	return name.charAt(0).toLowerCase() + name.slice(1);
}
