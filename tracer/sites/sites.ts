// Who started an operation: reads the call stack as cheaply as V8 allows and interns what it finds. A frame's line is
// computed once per code position; a capture itself only walks and compares.
import type { Kind } from '../kinds.ts';
import { type Entry, type KeptStack, readKept, readStack } from '../process/own-realm.ts';
import { mappedByProgram } from './mapped-by-program.ts';
import { withoutData } from './script-name.ts';
import { originalPosition } from './source-maps.ts';

/** A place in a script outside Node itself. */
export interface Position {
	readonly id: number;
	readonly script: string;
	readonly line: number;
	readonly column: number;
	readonly functionName: string;
	/** Line on which the function around it starts. */
	readonly functionLine: number;
	/** The writer's generation that this position was last told in. */
	told: number;
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
	/** In node_modules, when that called Node and not the user's line itself. */
	readonly library: Position | null;
	readonly api: Api | null;
	/** Started by a `…Sync` function: over before it returns, so no operation at all. */
	readonly isSync: boolean;
	/** The user's frame was only awaiting: nothing but Node runs, so this may be a later step of the awaited operation. */
	readonly isAwaited: boolean;
	/** Started by a library for one of those who wait for its connection, which the stack does not tell: the user's line gave that back. */
	readonly isForOthers: boolean;
	/** Where the user's function starts that Node or a library called, and that called on down to here; null where nobody asked. */
	readonly handler: Position | null;
	/** Whether the program called `setTimeout` or its like; else a timer or immediate is Node's own. */
	readonly isTimerCall: boolean;
	told: number;
}

/** What a frame of a script means, and the positions in it that were seen, by V8's offset. */
interface Script {
	/** V8's name of it, and the one for the journal. */
	readonly name: string;
	readonly shown: string;
	/** `plumbing`: Node calling itself; the API that was called is the next one inside. */
	readonly role: 'skip' | 'node' | 'plumbing' | 'user' | 'library';
	readonly positions: Map<number, Position>;
}

/** Most user frames are among the first; each frame costs about 1 µs in optimised code. */
const SHALLOW_DEPTH = 16;
/** `fetch` has its user frame at depth 28 to 35. */
const STACK_DEPTH = 64;

const PLUMBING =
	/^node:(internal\/(util|async_hooks|process\/(task_queues|promises)|timers|streams|fs\/streams|webstreams|event_target)|async_hooks|diagnostics_channel|events|stream)/;

/**
 * Who gives a connection back to its pool asks for nothing, though the pool then asks what others had queued: pg-pool's `_release`,
 * mysql2's `releaseConnection`, which does so in a tick.
 */
const RELEASES = /^_?release/;

/** js-debug's own preloads run in the program but are nobody's code to profile. */
const DEBUGGER = /[\\/]ms-vscode\.js-debug[\\/]|[\\/]js-debug[\\/].*bootloader/;

/** Modules of Node with public classes, whose methods are called by their class's name too. */
const HAS_CLASSES = /^node:(net|dgram|internal\/(fs\/(promises|dir)|http2\/core))$/;
const CLASSES = new Set(['ClientHttp2Session', 'Dir', 'FileHandle', 'Socket']);

const scripts = new Map<string, Script>();
const sites = new Map<string, Site>();
const apis = new Map<string, Api>();
let positions = 0;

/** No frame of the program or of a library: the running operation goes on. */
export const CONTINUED: Site = {
	id: 0,
	user: null,
	library: null,
	api: null,
	isSync: false,
	isAwaited: false,
	isForOthers: false,
	handler: null,
	isTimerCall: false,
	told: 0,
};

/** What the capture under way must look for: in names a `…Sync` function or one of RELEASES, or the handler. All of it costs. */
const looksFor = { sync: false, release: false, handler: false };

/** How many frames the capture under way may see, and how many the last one needed. */
let limit = SHALLOW_DEPTH;
let needed = SHALLOW_DEPTH;
/** Its caller is the first frame. */
let from: Entry = captureSite;
let captures = 0;

/**
 * The site of the code that runs now; CONTINUED when the stack holds nothing but Node.
 * @param kind of the operation that starts
 * @param entry the tracer's outermost function on the stack: V8 spares what a frame costs for those from there on
 * @param frames how many frames will probably do: more are read where they do not
 */
export function captureSite(
	{ isCrypto, isExchange, role }: Kind,
	entry: Entry = captureSite,
	frames = SHALLOW_DEPTH,
): Site {
	const { handler } = looksFor;
	for (;;) {
		const turn = ++captures;
		from = entry;
		looksFor.sync = isCrypto;
		looksFor.release = isExchange || role === 'carrier';
		looksFor.handler = handler;
		const site = capture(frames) ?? (frames < SHALLOW_DEPTH ? capture(SHALLOW_DEPTH) : null);
		const found = site ?? capture(STACK_DEPTH) ?? CONTINUED;
		// A debugger's code may have read a stack meanwhile, with these variables.
		if (captures === turn) return found;
	}
}

/** The capture that is being made, if there is one, is to be made again. */
export function captureAgain(): void {
	captures++;
}

/** Whether captures shall find the handler from now on. */
export function lookForHandler(isWanted: boolean): void {
	looksFor.handler = isWanted;
}

/** From now on `see` is told of each script of a library when a capture meets it first, while V8 reads the stack. */
export function watchLibraries(see: (name: string) => void): void {
	seeLibrary = see;
}
let seeLibrary: ((name: string) => void) | null = null;

/** How many frames the last capture would have needed. */
export function framesRead(): number {
	return needed;
}

/** The site of a stack that was kept, of a start of that kind. */
export function siteOfKept({ isCrypto }: Kind, kept: KeptStack): Site {
	captures++;
	limit = STACK_DEPTH;
	looksFor.sync = isCrypto;
	looksFor.release = looksFor.handler = false;
	const site = readKept(kept, readSite);
	return typeof site === 'object' && site !== null ? site : CONTINUED;
}

function capture(depth: number): Site | null {
	limit = depth;
	const site = readStack(readSite, depth, from);
	// While it reads a stack V8 calls nobody for another one: a debugger's code runs in the midst of a capture.
	return typeof site === 'object' ? site : CONTINUED;
}

/** The site, or null when there may be more of the stack. Asks V8 for names and positions only where they are needed. */
function readSite(_holder: object, stack: NodeJS.CallSite[]): Site | null {
	let library: Position | null = null;
	let isAwaited = false;
	let isForOthers = false;
	let called: NodeJS.CallSite | null = null;
	let inner: NodeJS.CallSite | null = null;
	let isPlumbing = true;
	let isSync = false;
	needed = 0;
	for (let at = 0; at < stack.length; at++) {
		const call = stack[at]!;
		needed++;
		const script = scriptOf(call);
		switch (script.role) {
			case 'skip':
				break;
			case 'plumbing':
				if (library === null && isPlumbing) called ??= call;
				break;
			case 'node':
				if (library !== null) break;
				inner = called;
				called = call;
				isPlumbing = false;
				isSync ||= looksFor.sync && nameOf(call).endsWith('Sync');
				break;
			case 'library':
				if (library === null) {
					library = positionOf(call, script);
					isAwaited = isAsync(call);
				}
				isForOthers ||= looksFor.release && RELEASES.test(nameOf(call));
				break;
			case 'user': {
				const user = isForOthers ? null : positionOf(call, script);
				isAwaited ||= library === null && isAsync(call);
				const handler = looksFor.handler ? handlerOf(stack, at) : undefined;
				if (handler === null) return null;
				return internSite(user, library, apiOf(called, inner), isSync, isAwaited, isForOthers, handler);
			}
			default:
				script.role satisfies never;
		}
	}
	// One more, so that the next capture sees that there is no more.
	needed++;
	if (stack.length === limit && limit !== STACK_DEPTH) return null;
	return library === null && !isSync
		? CONTINUED
		: internSite(null, library, apiOf(called, inner), isSync, isAwaited, isForOthers);
}

/**
 * The start of the outermost of the user's functions that call one another down to the frame at `from`; null when there may be
 * more of the stack.
 */
function handlerOf(stack: NodeJS.CallSite[], from: number): Position | null {
	let handler = from;
	for (let at = from + 1; at < stack.length; at++) {
		needed++;
		const { role } = scriptOf(stack[at]!);
		if (role === 'user') handler = at;
		else if (role !== 'skip') return startAt(stack[handler]!);
	}
	needed++;
	return stack.length === limit && limit < STACK_DEPTH ? null : startAt(stack[handler]!);
}

function startAt(call: NodeJS.CallSite): Position {
	return functionStart(positionOf(call, scriptOf(call)));
}

function isAsync(call: NodeJS.CallSite): boolean {
	return (call as unknown as { isAsync(): boolean }).isAsync();
}

/** The one site of these parts. */
export function internSite(
	user: Position | null,
	library: Position | null,
	api: Api | null,
	isSync: boolean,
	isAwaited: boolean,
	isForOthers = false,
	handler: Position | null = null,
): Site {
	const key = `${user?.id ?? 0} ${library?.id ?? 0} ${api?.name ?? ''} ${api?.script ?? ''} ${isSync} ${isAwaited} ${isForOthers} ${handler?.id ?? 0}`;
	let site = sites.get(key);
	if (site === undefined) {
		const isTimerCall = api?.script.startsWith('node:timers') ?? false;
		site = { id: sites.size + 1, user, library, api, isSync, isAwaited, isForOthers, handler, isTimerCall, told: 0 };
		sites.set(key, site);
	}
	return site;
}

/** The start of the function around a position, as a position of its own. */
export function functionStart(position: Position): Position {
	let known = functionStarts.get(position);
	if (known === undefined) {
		const { script, functionName, functionLine } = position;
		const key = `${functionLine} ${script}`;
		known = startsByLine.get(key);
		if (known === undefined) {
			known = { id: ++positions, script, line: functionLine, column: 1, functionName, functionLine, told: 0 };
			startsByLine.set(key, known);
		}
		functionStarts.set(position, known);
	}
	return known;
}
const functionStarts = new Map<Position, Position>();
const startsByLine = new Map<string, Position>();

function scriptOf(call: NodeJS.CallSite): Script {
	const name = call.getScriptNameOrSourceURL() ?? '';
	return scripts.get(name) ?? newScript(name);
}

function newScript(name: string): Script {
	const script: Script = { name, shown: withoutData(name), role: roleOf(name), positions: new Map() };
	scripts.set(name, script);
	if (script.role === 'library') seeLibrary?.(name);
	return script;
}

function roleOf(script: string): Script['role'] {
	if (script === '' || script === __filename || script.startsWith('wasm:') || DEBUGGER.test(script)) return 'skip';
	if (script.startsWith('node:')) return PLUMBING.test(script) ? 'plumbing' : 'node';
	return /[\\/]node_modules[\\/]/.test(script) ? 'library' : 'user';
}

function positionOf(call: NodeJS.CallSite, script: Script): Position {
	const at = call.getPosition();
	return script.positions.get(at) ?? newPosition(call, script, at);
}

function newPosition(call: NodeJS.CallSite, script: Script, at: number): Position {
	const line = call.getLineNumber() ?? 1;
	const column = call.getColumnNumber() ?? 1;
	const enclosing = call as unknown as { getEnclosingLineNumber?(): number; getEnclosingColumnNumber?(): number };
	const functionLine = enclosing.getEnclosingLineNumber?.() || line;
	const originalOf = (line: number, column: number) =>
		originalPosition(script.name, line, column) ??
		(script.role === 'user' ? mappedByProgram(call, script.name, line, column) : null);
	const original = originalOf(line, column);
	const position = {
		id: ++positions,
		script: script.shown,
		line: original?.line ?? line,
		column: original?.column ?? column,
		functionName: call.getFunctionName() ?? '',
		functionLine: originalOf(functionLine, enclosing.getEnclosingColumnNumber?.() ?? 1)?.line ?? functionLine,
		told: 0,
	};
	script.positions.set(at, position);
	return position;
}

/** @param inner what that function called in its turn */
function apiOf(call: NodeJS.CallSite | null, inner: NodeJS.CallSite | null): Api | null {
	if (call === null) return null;
	let name = nameOf(call);
	const script = call.getScriptNameOrSourceURL() ?? '';
	if (script === 'node:zlib' && inner !== null) {
		// All of zlib.gzip's like are one function, which makes a `Gzip`; so are zlib.createGzip's, up to Node 22.
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
